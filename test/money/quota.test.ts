import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { callMcp, callTool, rowsOf, startTestServer, type Answer, type TestServer } from './test-server.ts'

let direct: TestServer
let proxied: TestServer

beforeAll(async () => {
  direct = await startTestServer()
  // No day ends while it is counted.
  const untilMidnight = 86_400_000 - (direct.clock.now() % 86_400_000)
  if (untilMidnight < 600_000) direct.clock.advance(untilMidnight)
  // One proxy is trusted: the caller's address is what that proxy appended.
  proxied = await startTestServer({ clock: direct.clock, env: { TOLLGATE_TRUST_PROXY: '1' } })
})
afterAll(async () => {
  await direct.stop()
  await proxied.stop()
})

function many(server: TestServer, count: number, forwarded: (index: number) => string | undefined): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const value = forwarded(index)
      return callTool(server.url, 'probe-free', { text: 'q' }, value === undefined ? {} : { 'x-forwarded-for': value })
    }),
  )
}

const allowed = (answers: readonly Answer[]): number => answers.filter((answer) => answer.status === 200).length

describe('the daily allowance of a free tool (I14)', () => {
  it('is fifty of two hundred calls at once, whatever X-Forwarded-For says; the next one gets 429 and when to come back', async () => {
    const runs = direct.probes.runs()
    const answers = await many(direct, 200, (index) => `203.0.113.${index}`)
    expect(allowed(answers)).toBe(50)
    expect(direct.probes.runs() - runs).toBe(50)
    const left = answers
      .filter((answer) => answer.status === 200)
      .map((answer) => Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]))
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index))

    const refused = await callTool(direct.url, 'probe-free', { text: 'q' })
    expect(refused.status).toBe(429)
    expect(refused.body.error).toMatchObject({
      code: 'quota_exceeded',
      retryable: true,
      charged: false,
      nextStep: expect.stringMatching(
        /^The allowance is renewed at \d{4}-\d\d-\d\dT00:00:00.000Z. Nothing was charged.$/,
      ),
    })
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(86_400)
    expect(refused.headers.get('ratelimit')).toBe(`"day";r=0;t=${seconds}`)
    expect(refused.headers.get('ratelimit-policy')).toBe('"day";q=50;w=86400')
    expect(await rowsOf(direct.store)).toBe(0)
  })

  it('is the same one over MCP, and starts anew the next day', async () => {
    const used = await callMcp(direct.url, 'probe-free', { text: 'q' })
    expect(used.isError).toBe(true)
    expect(used.text).toContain('quota_exceeded')
    direct.clock.advance(86_400_000)
    expect((await callMcp(direct.url, 'probe-free', { text: 'q' })).isError).toBe(false)
    expect((await callTool(direct.url, 'probe-free', { text: 'q' })).headers.get('ratelimit')).toContain('r=48')
  })

  it('is not touched by a wrong input, and given back where the failure is ours', async () => {
    const left = async (): Promise<number> => {
      const answer = await callTool(direct.url, 'probe-free', { text: 'q' })
      return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
    }
    const before = await left()
    await callTool(direct.url, 'probe-free', { text: 5 })
    await callTool(direct.url, 'probe-free', { text: 'broken' })
    await callTool(direct.url, 'probe-free', { text: 'misfit' })
    expect(await left()).toBe(before - 1)
  })
})

describe('behind one trusted proxy', () => {
  it('a caller cannot write addresses of its own before the proxy’s', async () => {
    const answers = await many(proxied, 120, (index) => `198.51.100.${index}, 203.0.113.7`)
    expect(allowed(answers)).toBe(50)
  })

  it('two callers have an allowance each', async () => {
    const answers = await many(proxied, 120, (index) => (index % 2 === 0 ? '203.0.113.8' : '203.0.113.9'))
    expect(allowed(answers)).toBe(100)
  })

  it('the addresses of one IPv6 /64 share one allowance, and the next /64 has its own', async () => {
    const answers = await many(proxied, 200, (index) => `2001:db8:0:1:${index.toString(16)}::${index.toString(16)}`)
    expect(allowed(answers)).toBe(50)
    expect(allowed(await many(proxied, 1, () => '2001:db8:0:1::'))).toBe(0)
    expect(allowed(await many(proxied, 1, () => '2001:0DB8:0000:0001:ffff::1'))).toBe(0)
    expect(allowed(await many(proxied, 1, () => '2001:db8:0:2::1'))).toBe(1)
  })

  it('the 65,536 /64 of one customer have the allowance of sixteen', async () => {
    let asked = 0
    const anywhere = (): string => `2001:db8:5:${(asked++ % 900).toString(16)}::1`
    expect(allowed(await many(proxied, 900, anywhere))).toBe(800)
    expect(allowed(await many(proxied, 1, () => '2001:db8:6::1'))).toBe(1)
  })

  it('an IPv4 address is the same caller in its IPv6 form', async () => {
    expect(allowed(await many(proxied, 60, () => '192.0.2.44'))).toBe(50)
    expect(allowed(await many(proxied, 1, () => '::ffff:192.0.2.44'))).toBe(0)
    expect(allowed(await many(proxied, 1, () => '::ffff:c000:22c'))).toBe(0)
  })
})
