/** What a thread of `tollgate serve` runs that reads the ledger for a page, and ends. */
import { parentPort, workerData } from 'node:worker_threads'

import { yieldToOthers } from '../src/platform/yield-to-others.ts'
import { answerFromBooks, type BooksThreadData } from '../src/server/books/questions.ts'

if (parentPort === null) throw new Error('This module runs in a thread of the server.')
yieldToOthers(10)
const { config, question }: BooksThreadData = workerData
// The rule is about windows of a browser.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort.postMessage(await answerFromBooks(config, question))
