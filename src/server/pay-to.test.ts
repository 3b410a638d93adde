import { expect, it } from 'vitest'

import { openSqliteStore } from '../store/sqlite.ts'
import { createLog } from '../platform/log.ts'
import { agreeOnPayTo } from './pay-to.ts'
import { systemClock } from '../platform/clock.ts'

const first = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
const second = `0x${'2'.repeat(40)}`

it('a ledger is paid to the wallet it was first paid to, until the operator confirms another', async () => {
  const store = await openSqliteStore(':memory:')
  const lines: string[] = []
  const clock = { ...systemClock, now: () => Date.UTC(2027, 0, 2) }
  const agree = (payTo: string, isConfirmed = false) =>
    agreeOnPayTo({
      payTo,
      isConfirmed,
      notes: store.notes,
      clock,
      log: createLog((line) => lines.push(line), clock.now),
    })
  await agree(first)
  await agree(first.toLowerCase())
  await expect(agree(second)).rejects.toThrow(`this ledger was paid to until now, ${first}; if the change is meant`)
  expect(await store.notes.get('pay-to')).toBe(first)
  expect(lines).toEqual([])

  await agree(second, true)
  const audit = { at: '2027-01-02T00:00:00.000Z', from: first, to: second }
  expect(JSON.parse((await store.notes.get(`pay-to.changed.${audit.at}`)) ?? '')).toEqual(audit)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('pay-to.changed')
  await agree(second)
  await expect(agree(first)).rejects.toThrow('--confirm')
  await store.close()
})
