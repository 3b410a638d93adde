import { Worker } from 'node:worker_threads'

import { expect, it } from 'vitest'

import { threadsOf } from '../harness/attack/threads-of.ts'

/** The niceness of every thread of this process. */
const nicenesses = (): readonly number[] => threadsOf('self').map(({ niceness }) => niceness)

it.skipIf(process.platform !== 'linux')(
  'a thread that yields to others leaves the priority of all others as it was',
  async () => {
    const before = nicenesses().filter((nice) => nice === 7).length
    const module = new URL('../../src/platform/yield-to-others.ts', import.meta.url).href
    const worker = new Worker(
      `import(${JSON.stringify(module)}).then(({ yieldToOthers }) => {
       yieldToOthers(7)
       require('node:worker_threads').parentPort.postMessage('done')
     })
     setInterval(() => {}, 1_000)`,
      { eval: true },
    )
    await new Promise((resolve) => worker.once('message', resolve))
    const after = nicenesses()
    await worker.terminate()
    expect(after.filter((nice) => nice === 7).length - before).toBe(1)
    expect(after.filter((nice) => nice === 0).length).toBeGreaterThan(1)
  },
)
