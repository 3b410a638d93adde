import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { systemClock } from '../../src/platform/clock.ts'
import { createUpstreams, type UpstreamClients } from '../../src/upstream/upstreams.ts'
import { testSettings } from '../../test/harness/run-tool.ts'
import tool from '../../tools/agentic/polymarket-odds/tool.ts'
import { clob } from './clob.ts'
import { gamma } from './gamma.ts'
import { type ReplayServer, serveReplays } from './server.ts'

let server: ReplayServer
let upstreams: UpstreamClients

beforeAll(async () => {
  server = await serveReplays({ replays: [clob, gamma], sites: [], now: () => new Date() })
  upstreams = createUpstreams({
    config: {
      baseRpcUrls: [],
      mainnetRpcUrls: [],
      chainId: 8453,
      urls: { gamma: server.urls['GAMMA'] ?? '', clob: server.urls['CLOB'] ?? '' },
      keys: {},
      webHosts: {},
      refuseHosts: [],
      userAgent: 'Tollgate-test',
    },
    fetch,
    clock: systemClock,
  })
})
afterAll(async () => {
  await upstreams.close()
  await server.stop()
})

function ask(question: string) {
  const { signal } = new AbortController()
  return tool.run(
    { question },
    {
      ...upstreams.bind(signal),
      now: () => new Date(),
      signal,
      entry: 'free',
      settings: testSettings,
      catalog: () => [],
      runTool: () => Promise.reject(new Error('This tool runs no other.')),
    },
  )
}

describe("the sandbox's prediction markets", () => {
  it('answer the documented example as documented, but for the times', async () => {
    const [example] = tool.examples
    const answer = await ask(example?.input.question ?? '')
    const { end_date, fetched_at } = answer
    expect(answer).toEqual({ ...example?.output, end_date, fetched_at })
  })

  it('answer by slug, by address and by words', async () => {
    const list = 'https://polymarket.com/event/mayor-of-port-amber'
    const answers = await Promise.all([ask(list), ask('mayor-of-port-amber'), ask('next mayor of Port Amber')])
    for (const { outcomes } of answers) {
      expect(outcomes.map(({ name }) => name)).toEqual(['Ilse Brandt', 'Tomas Reyle', 'Oona Marsh', 'No election'])
      expect(outcomes.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9)
    }
  })

  it('hold a question that nears its end and one that is over', async () => {
    expect(await ask('harbour-ferry-record')).toMatchObject({ resolved: false })
    expect(await ask('lighthouse reopens')).toMatchObject({ resolved: true, resolution_value: 'Yes' })
  })
})
