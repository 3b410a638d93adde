import { Worker } from 'node:worker_threads'

import pLimit from 'p-limit'

import type { Config } from '../../platform/config.ts'
import { answerFromBooks, type AskBooks, type BooksThreadData, unreadable } from './questions.ts'

/** A ledger of a million payments takes some seconds to read. */
const mostMs = 60_000
const heapMb = 256

/**
 * Asks the ledger in a thread that ends with its answer, one question at a time: what sums up a month of payments reads
 * all of them, and the main thread, which handles payments, has no time for that.
 * @param module the program of the thread; without it the question is asked here.
 */
export function createAskBooks(config: Config, module: URL | undefined): AskBooks {
  const inTurn = pLimit(1)
  return (question) =>
    inTurn(async () => {
      try {
        return module === undefined
          ? await answerFromBooks(config, question)
          : await askThread(module, { config, question })
      } catch (cause) {
        throw unreadable(cause)
      }
    })
}

async function askThread(module: URL, workerData: BooksThreadData): Promise<string> {
  const worker = new Worker(module, { workerData, resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  worker.unref()
  try {
    return await new Promise<string>((resolve, reject) => {
      // In real time: it ends a thread that computes too long.
      const timer = setTimeout(() => reject(new Error(`Reading took longer than ${mostMs} ms.`)), mostMs)
      timer.unref()
      worker.once('message', (answer: string) => {
        clearTimeout(timer)
        resolve(answer)
      })
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The thread ended without an answer.')))
    })
  } finally {
    await worker.terminate()
  }
}
