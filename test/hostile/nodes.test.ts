import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { freshDatabase } from '../harness/fresh-database.ts'
import { type ServerProcess, startServer } from '../money/server.ts'
import { sold, startSurroundings, type Surroundings } from '../money/surroundings.ts'

const database = process.env['TOLLGATE_TEST_DATABASE_URL'] ?? ''

const burst = 200
/** Fills so slowly that the time a test takes does not matter. */
const limits = {
  requests: { perSecond: 1_000, burst: 100_000 },
  challenges: { perSecond: 0.01, burst },
}

describe.skipIf(database === '')('an address that reaches two nodes', () => {
  let around: Surroundings
  let fresh: Awaited<ReturnType<typeof freshDatabase>>
  let nodes: readonly ServerProcess[] = []
  beforeAll(async () => {
    around = await startSurroundings()
    fresh = await freshDatabase(database)
    nodes = await Promise.all(
      ['one', 'two'].map((name) =>
        startServer({
          env: {
            ...around.envOf(name),
            DATABASE_URL: fresh.url,
            TOLLGATE_TRUST_PROXY: '1',
            TOLLGATE_LIMITS: JSON.stringify(limits),
          },
        }),
      ),
    )
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.kill()))
    await around.close()
    await fresh.drop()
  })

  const ask = async (node: ServerProcess | undefined, address: string): Promise<number> => {
    const answer = await fetch(`${node?.url}/api/agentic/tools/${sold}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
    })
    await answer.arrayBuffer()
    return answer.status
  }
  const askOften = async (node: ServerProcess | undefined, address: string, times: number): Promise<number> => {
    let served = 0
    for (let index = 0; index < times; index += 1) if ((await ask(node, address)) === 402) served += 1
    return served
  }

  it('has one allowance, and not one at each', async () => {
    const [one, two] = nodes
    expect(await askOften(one, '8.8.8.1', burst + 20)).toBe(burst)
    // The other hears of it, and then serves it no more without having served it at all.
    await expect.poll(() => ask(two, '8.8.8.1'), { timeout: 60_000, interval: 500 }).toBe(429)
    expect(await ask(two, '8.8.8.2')).toBe(402)
    expect(await ask(one, '8.8.8.1')).toBe(429)
  })

  it('is held to it where it goes to both in turn, within what it asks in the seconds of an exchange', async () => {
    let served = 0
    const last = [402, 402]
    for (let turn = 0; last.includes(402) && turn < 40; turn += 1) {
      for (const [index, node] of nodes.entries()) {
        served += await askOften(node, '8.8.8.3', 10)
        last[index] = await ask(node, '8.8.8.3')
        if (last[index] === 402) served += 1
      }
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    expect(last).toEqual([429, 429])
    expect(served).toBeGreaterThanOrEqual(burst)
    expect(served).toBeLessThan(burst * 1.7)
  })

  it('keeps nobody waiting while the counts cannot be shared, and each node counts for itself', async () => {
    const [one, two] = nodes
    const lock = new Client({ connectionString: fresh.url })
    await lock.connect()
    await lock.query('begin')
    await lock.query('lock table limit_levels in access exclusive mode')
    try {
      await expect.poll(() => one?.log() ?? '', { timeout: 60_000 }).toContain('limits.not_shared')
      expect(await askOften(one, '8.8.8.4', burst + 10)).toBe(burst)
      expect(await askOften(two, '8.8.8.4', burst + 10)).toBe(burst)
      const bought = await around.buy(one?.url ?? '')
      expect(bought.answer.status, bought.answer.text).toBe(200)
    } finally {
      await lock.query('rollback')
      await lock.end()
    }
    // What could not be told is told when it can be.
    await expect
      .poll(
        async () => {
          const look = new Client({ connectionString: fresh.url })
          await look.connect()
          const { rows } = await look.query(`select taken from limit_levels where key = '8.8.8.4'`)
          await look.end()
          return Math.round(Number(rows[0]?.taken ?? 0))
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThanOrEqual(burst * 2 - 10)
  }, 180_000)
})
