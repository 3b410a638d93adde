/** What a thread of `tollgate serve` runs that reads the ledger for a page, and ends. */
import { setPriority } from 'node:os'
import { platform } from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'

import { answerFromBooks, type BooksThreadData } from '../src/server/books/questions.ts'

if (parentPort === null) throw new Error('This module runs in a thread of the server.')
// On Linux a priority is that of the calling thread; elsewhere it would be that of the whole process.
if (platform === 'linux') setPriority(10)
const { config, question }: BooksThreadData = workerData
// The rule is about windows of a browser.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort.postMessage(await answerFromBooks(config, question))
