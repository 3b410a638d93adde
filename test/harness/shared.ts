import { afterAll, beforeAll } from 'vitest'

import { type AtEnd, type Opened, opening } from './opening.ts'

/**
 * What the tests of a file share: opened before the first of them, ended after the last one.
 * @param open tells `atEnd` how to end each thing that it has opened.
 */
export function sharedByTests<T extends object>(open: (atEnd: AtEnd) => Promise<T>): () => T {
  let shared: Opened<T> | undefined
  beforeAll(async () => {
    shared = await opening(open)
  })
  afterAll(() => shared?.stop())
  return () => {
    if (shared === undefined) throw new Error('What tests share is there once they have begun.')
    return shared
  }
}
