import { afterEach, expect, it } from 'vitest'

import repoHealth from '../../tools/agentic/repo-health-for-agents/tool.ts'
import { callTool, startTestServer, type TestServer } from '../money/test-server.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

/** A server behind a proxy, whose service allows it little in an hour unless there is a token. */
async function startWith(env: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const { hourlyShare } = repoHealth
  if (hourlyShare === undefined) throw new Error('The audit of repositories has no share.')
  server = await startTestServer({
    env: { TOLLGATE_TRUST_PROXY: '1', ...env },
    adapt: (tool) => {
      if (tool.slug === 'probe-free') return { ...tool, hourlyShare }
      // As `ask` does, it answers by another tool.
      if (tool.slug !== 'probe-pass') return tool
      return { ...tool, access: { mode: 'free' }, run: (input, { runTool }) => runTool('probe-free', input) }
    },
  })
  // No hour ends while it is counted.
  const untilNext = 3_600_000 - (server.clock.now() % 3_600_000)
  if (untilNext < 600_000) server.clock.advance(untilNext)
  return server
}

const from = (address: string) => ({ 'x-forwarded-for': address })

it('one caller cannot use up for all what a service gives in an hour, and is told when the next one begins', async () => {
  const { url, clock, probes } = await startWith()
  const call = (address: string, text = 'x') => callTool(url, 'probe-free', { text }, from(address))
  for (const address of ['203.0.113.1', '203.0.113.2']) {
    const statuses = [(await call(address)).status, (await call(address)).status]
    expect(statuses).toEqual([200, 200])
    const refused = await call(address)
    expect(refused.status).toBe(429)
    expect(refused.body.error).toMatchObject({
      code: 'quota_exceeded',
      charged: false,
      nextStep: expect.stringMatching(/renewed at .*:00:00\.000Z\. Nothing was charged\.$/),
    })
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(3_600)
    expect(refused.headers.get('ratelimit')).toBe(`"hour";r=0;t=${seconds}`)
  }
  expect(probes.runs()).toBe(4)
  // A /48 that somebody owns has room for sixteen, not for 65,536.
  const statuses = []
  for (let net = 0; net < 40; net += 1) statuses.push((await call(`2001:db8:1:${net.toString(16)}::1`)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(32)
  clock.advance(3_600_000)
  expect((await call('203.0.113.1')).status).toBe(200)
})

it('a failure of ours gives the share back', async () => {
  const { url, probes } = await startWith()
  const call = (text: string) => callTool(url, 'probe-free', { text }, from('203.0.113.9'))
  for (let round = 0; round < 4; round += 1) expect((await call('broken')).status).toBe(500)
  expect((await call('x')).status).toBe(200)
  expect(probes.runs()).toBe(5)
})

it('there are no shares with a token, nor for callers of the own network', async () => {
  const { url } = await startWith({ TOLLGATE_GITHUB_TOKEN: 'a-token' })
  for (let round = 0; round < 5; round += 1) {
    expect((await callTool(url, 'probe-free', { text: 'x' }, from('203.0.113.1'))).status).toBe(200)
  }
  await server?.stop()
  const own = await startWith()
  for (let round = 0; round < 5; round += 1) {
    expect((await callTool(own.url, 'probe-free', { text: 'x' }, from('10.0.0.7'))).status).toBe(200)
  }
})

it('what another tool asks of it counts as a call of its caller', async () => {
  const { url, probes } = await startWith()
  const call = (slug: string, address: string) => callTool(url, slug, { text: 'x' }, from(address))
  expect((await call('probe-pass', '203.0.113.1')).status).toBe(200)
  expect((await call('probe-free', '203.0.113.1')).status).toBe(200)
  const refused = await call('probe-pass', '203.0.113.1')
  expect(refused.status).toBe(429)
  expect(refused.body.error).toMatchObject({ code: 'quota_exceeded', charged: false })
  expect((await call('probe-free', '203.0.113.1')).status).toBe(429)
  expect((await call('probe-pass', '203.0.113.2')).status).toBe(200)
  expect(probes.runs()).toBe(3)
})
