import { expect, it } from 'vitest'

import { createLog } from '../platform/log.ts'
import { systemClock } from '../platform/clock.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import { createIntake } from './intake.ts'
import { watchIntegrity } from './watch-integrity.ts'

it('takes no payment once the ledger was found to be damaged, and says so once', async () => {
  const store = await openSqliteStore(':memory:')
  const lines: string[] = []
  const log = createLog((line) => lines.push(line), systemClock.now)
  const intake = createIntake({
    facilitator: { status: () => 'ok' },
    isPaused: () => false,
    store,
    clock: systemClock,
    log,
  })
  expect(await intake.obstacle()).toBeUndefined()
  expect(intake.isKnownOpen()).toBe(true)

  // Three looks: one fails, one finds nothing, two find the same.
  const answers = [undefined, 'null', '"a page is lost"', '"a page is lost"']
  const woken: (() => void)[] = []
  const clock = { ...systemClock, sleep: () => new Promise<void>((resolve) => void woken.push(resolve)) }
  const watch = watchIntegrity({
    askBooks: async ({ kind }) => {
      expect(kind).toBe('fault')
      const answer = answers.shift()
      if (answer === undefined) throw new Error('No thread could be had.')
      return answer
    },
    onDamage: intake.noteDamage,
    clock,
    log,
  })
  const obstacles: unknown[] = []
  for (let look = 1; look <= 4; look += 1) {
    woken.shift()?.()
    await expect.poll(() => woken.length, { timeout: 60_000 }).toBe(1)
    obstacles.push(await intake.obstacle())
  }
  await watch.stop()
  expect(obstacles).toEqual([undefined, undefined, 'ledger', 'ledger'])
  expect(intake.isKnownOpen()).toBe(false)
  expect(lines.filter((line) => line.includes('ledger.damaged'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes('ledger.not_checked'))).toHaveLength(1)
  await store.close()
})
