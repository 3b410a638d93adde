import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { liveFirstDay } from '../scripts/first-day/day.ts'

it('the first day behind public nodes: every payment is answered, and the books agree with the chain', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-first-day-'))
  try {
    const day = await liveFirstDay({ calls: 36, dryAfter: 20, saysSoAt: 'verify', payers: 4, dataDir })
    expect(day.violations).toEqual([])
    expect(day.paid.filter(({ answered }) => !answered)).toEqual([])
    const [first, second] = day.settledBy
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThanOrEqual(20)
    expect(first + second).toBe(36)
    // What cannot work without a key is not sold, and everything that can is.
    const withoutKeys = ['agent-binding-scout', 'agent-trust-score', 'collection-stats', 'native-sweep-forecast']
    expect(day.notSold.map(([slug, status]) => `${slug} ${status}`).sort()).toEqual(
      [...withoutKeys, 'chain-ecosystem-radar'].map((slug) => `${slug} 503`).sort(),
    )
    expect(day.health).toMatchObject({
      status: 'degraded',
      closed: [],
      facilitator: { status: 'ok', list: [{ status: 'out-of-credits' }, { status: 'ok' }] },
      notOffered: expect.arrayContaining([
        { slug: 'collection-stats', reason: expect.stringContaining('TOLLGATE_OPENSEA_KEY') },
        { slug: 'chain-ecosystem-radar', reason: expect.stringContaining('TOLLGATE_BLOCKSCOUT_KEY') },
      ]),
    })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
