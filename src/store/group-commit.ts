import { setImmediate } from 'node:timers'

import type { Database } from './database.ts'

/** Runs work on the database as one transaction of its own; resolves once it is committed. */
export type Write = <T>(work: () => T, durable?: boolean) => Promise<T>

export type GroupCommit = {
  readonly write: Write
  /** Commits what is still waiting. */
  readonly flush: () => void
}

type Job = {
  readonly durable: boolean
  /** Does the work inside the transaction that is open; what it gives is kept until the commit. */
  readonly run: () => void
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Commits the writes that arrive together in one transaction, because most of a small write's cost is its commit.
 * Nobody hears of success before the commit. Work that fails spoils nothing for its neighbours: then each gets a
 * transaction of its own, so work may run twice and must change nothing but the database.
 */
export function createGroupCommit(db: Database): GroupCommit {
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const rollback = db.prepare('rollback')
  let waiting: Job[] = []

  let isFlushing = false
  /**
   * Every commit from here on is flushed, or none. Changed where it has to be, because each change is a statement. A
   * write beside the group would be flushed or not as the last group was, so there is none.
   */
  const flushEach = (flushing: boolean): void => {
    if (flushing === isFlushing) return
    db.exec(`pragma synchronous=${flushing ? 'FULL' : 'NORMAL'}`)
    isFlushing = flushing
  }

  const commitTogether = (jobs: readonly Job[]): void => {
    // A flush of the commit flushes the whole log before it, so earlier commits become safe with it.
    flushEach(jobs.some((job) => job.durable))
    begin.run()
    try {
      for (const job of jobs) job.run()
      commit.run()
    } catch (error) {
      if (db.isInTransaction()) rollback.run()
      throw error
    }
  }

  const settle = (jobs: readonly Job[]): void => {
    try {
      commitTogether(jobs)
    } catch (error) {
      if (jobs.length > 1) for (const job of jobs) settle([job])
      else for (const job of jobs) job.reject(error)
      return
    }
    for (const job of jobs) job.resolve()
  }

  const flush = (): void => {
    const jobs = waiting
    waiting = []
    if (jobs.length > 0) settle(jobs)
  }

  return {
    flush,
    write: <T>(work: () => T, durable = false) =>
      new Promise<T>((resolve, reject) => {
        let value: { readonly of: T } | undefined
        waiting.push({
          durable,
          run: () => {
            value = { of: work() }
          },
          resolve: () => {
            if (value !== undefined) resolve(value.of)
          },
          reject,
        })
        // Every request that the event loop has at hand gets its turn first.
        if (waiting.length === 1) setImmediate(flush)
      }),
  }
}
