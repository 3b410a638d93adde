import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { replays } from './replays.ts'
import type { Site } from './replay.ts'
import { serveReplays, type ReplayServer } from './server.ts'

const now = new Date('2026-11-21T12:00:00Z')
const shop: Site = {
  host: 'shop.example',
  answer: ({ path }) => (path === '/' ? { status: 200, body: '<h1>A shop</h1>' } : undefined),
}
let server: ReplayServer

beforeAll(async () => {
  server = await serveReplays({ replays, sites: [shop], now: () => now })
})

afterAll(() => server.stop())

async function ask(name: string, path: string): Promise<{ readonly status: number; readonly body: never }> {
  const response = await fetch(`${server.urls[name]}${path}`)
  return { status: response.status, body: (await response.json()) as never }
}

async function pageAt(path: string): Promise<string> {
  const response = await fetch(`${server.hosts['shop.example']}${path}`)
  return `${response.status} ${await response.text()}`
}

describe('the replay server', () => {
  it('listens on this machine only', () => {
    expect(new URL(server.url).hostname).toBe('127.0.0.1')
  })

  it('answers 404 in the words of the real service to a path it does not have', async () => {
    expect(await ask('GITHUB', '/repos/nobody/nothing')).toMatchObject({ status: 404, body: { message: 'Not Found' } })
    expect(await ask('LLAMA', '/nothing')).toMatchObject({ status: 404 })
  })

  it('serves a site at an address of its own', async () => {
    expect(await pageAt('/')).toBe('200 <h1>A shop</h1>')
    expect(await pageAt('/llama')).toMatch(/^404/)
    expect(server.hosts['shop.example']).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })
})

describe('the prices', () => {
  const weth = '0x4200000000000000000000000000000000000006'

  it('are fresh, keep the spelling of the key and leave out what nobody knows', async () => {
    const { body } = await ask('LLAMA', `/prices/current/base:${weth},coingecko:ethereum,base:0xdead`)
    const { coins } = body as { coins: Record<string, { price: number; timestamp: number }> }
    expect(Object.keys(coins)).toEqual([`base:${weth}`, 'coingecko:ethereum'])
    expect(now.getTime() / 1000 - (coins['coingecko:ethereum']?.timestamp ?? 0)).toBeLessThan(120)
  })

  it('differ by less than a thousandth from service to service', async () => {
    const llama = (await ask('LLAMA', `/prices/current/base:${weth}`)).body as {
      coins: Record<string, { price: number }>
    }
    const gecko = (
      await ask('COINGECKO', `/api/v3/simple/token_price/base?contract_addresses=${weth}&vs_currencies=usd`)
    ).body as Record<string, { usd: number }>
    const [pair] = (await ask('DEXSCREENER', `/tokens/v1/base/${weth}`)).body as { priceUsd: string }[]
    const price = llama.coins[`base:${weth}`]?.price ?? 0
    expect(price).toBeGreaterThan(0)
    expect(Math.abs((gecko[weth]?.usd ?? 0) / price - 1)).toBeLessThan(0.001)
    expect(Math.abs(Number(pair?.priceUsd) / price - 1)).toBeLessThan(0.001)
  })
})

describe("the sandbox's GitHub", () => {
  const repo = '/repos/tollgate-demo/paid-weather'

  it.each([
    '',
    '/community/profile',
    '/git/trees/main?recursive=1',
    '/commits?since=2026-08-23T00:00:00Z&per_page=100',
    '/contributors?per_page=100&anon=1',
    '/releases?per_page=30',
    '/tags',
    '/issues?state=all&since=2026-08-23T00:00:00Z&per_page=100&sort=updated',
    '/pulls?state=all&sort=updated&direction=desc&per_page=100',
    '/actions/runs?branch=main&status=completed&per_page=30',
    '/stats/participation',
    '/rules/branches/main',
    '/branches/main',
    '/readme',
  ])('answers %s for both repositories', async (path) => {
    for (const base of [repo, '/repos/Tollgate-Demo/Left-Behind-Bot']) {
      expect((await ask('GITHUB', `${base}${path}`)).status).toBe(200)
    }
  })

  it('tells one story in its commits, its weeks and its last push', async () => {
    const since = '2026-08-23T12:00:00Z'
    const commits = (await ask('GITHUB', `${repo}/commits?since=${since}&per_page=100`)).body as unknown[]
    const { all } = (await ask('GITHUB', `${repo}/stats/participation`)).body as { all: number[] }
    const { pushed_at } = (await ask('GITHUB', repo)).body as { pushed_at: string }
    expect(commits.length).toBeGreaterThan(50)
    const lastWeeks = all.slice(-13).reduce((sum, week) => sum + week, 0)
    expect(Math.abs(lastWeeks - commits.length)).toBeLessThanOrEqual(1)
    expect(all).toHaveLength(52)
    expect(pushed_at).toBe('2026-11-20T12:00:00Z')
  })

  it('pages as the real one, with links to the next and the last page', async () => {
    const response = await fetch(`${server.urls['GITHUB']}${repo}/commits?per_page=1`)
    const last = /[?&]page=(\d+)>; rel="last"/.exec(response.headers.get('link') ?? '')?.[1]
    expect(Number(last)).toBeGreaterThan(300)
    expect(response.headers.get('x-ratelimit-remaining')).toBe('4988')
  })

  it('has a Scorecard for the healthy repository and none for the neglected one', async () => {
    expect((await ask('SCORECARD', '/projects/github.com/tollgate-demo/paid-weather')).status).toBe(200)
    expect((await ask('SCORECARD', '/projects/github.com/tollgate-demo/left-behind-bot')).status).toBe(404)
    const known = await ask('DEPSDEV', `/v3/projects/${encodeURIComponent('github.com/tollgate-demo/paid-weather')}`)
    expect(known.body).toMatchObject({ starsCount: 1_240, license: 'MIT' })
  })
})
