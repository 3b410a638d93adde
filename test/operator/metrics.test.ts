import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'

import { describe, expect, it } from 'vitest'

import { freePort } from '../harness/free-port.ts'
import { freshKey, pay } from '../money/payer.ts'
import { startServer as startServerProcess } from '../money/server.ts'
import { serversOfTests } from '../money/servers-of-tests.ts'
import { startSurroundings } from '../money/surroundings.ts'
import { callTool, richWallet, type TestServer } from '../money/test-server.ts'

const startServer = serversOfTests()
const token = 'a-token-of-the-operator'
const env = { TOLLGATE_METRICS_PORT: '0', TOLLGATE_METRICS_TOKEN: token, TOLLGATE_TRUST_PROXY: '1' }

async function ask(server: TestServer, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.served.operatorUrl}${path}`, { headers: { authorization: `Bearer ${token}` }, ...init })
}

async function buy(server: TestServer, text: string): Promise<void> {
  const signed = await pay(richWallet(server), await server.acceptsOf('probe'))
  await callTool(
    server.url,
    'probe',
    { text },
    {
      'payment-signature': signed.header,
      'idempotency-key': freshKey(),
      'x-forwarded-for': '203.0.113.50',
    },
  )
}

/** Every name of a metric in an expression, whatever stands around it. */
function namesIn(text: string): readonly string[] {
  return text.match(/\b(?:tollgate|process)_[a-z_]+\b/g) ?? []
}

describe('the port of the operator', () => {
  it('answers nobody without the token, and is not reached by the public port', async () => {
    const server = await startServer({ env })
    expect((await ask(server, '/metrics', { headers: {} })).status).toBe(401)
    expect((await ask(server, '/metrics', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
    expect((await ask(server, '/limits/lift?address=1.2.3.4', { headers: {}, method: 'POST' })).status).toBe(401)
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
    expect((await ask(server, '/elsewhere')).status).toBe(404)
  })

  it('is opened by the package as it is built', async () => {
    const around = await startSurroundings()
    const port = await freePort()
    const server = await startServerProcess({ env: { ...around.envOf('metrics'), TOLLGATE_METRICS_PORT: `${port}` } })
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('tollgate_ready 1')
    } finally {
      await server.kill()
      await around.close()
    }
  })

  it('tells what was called, paid and refused', async () => {
    const server = await startServer({ env })
    await buy(server, 'one')
    await buy(server, 'missing')
    const answer = await ask(server, '/metrics')
    const text = await answer.text()
    expect(answer.headers.get('content-type')).toContain('openmetrics')
    expect(text).toContain('tollgate_calls_total{tool="probe",result="answered",outcome="payment"} 1')
    expect(text).toContain('tollgate_calls_total{tool="probe",result="failed",outcome="not_found"} 1')
    expect(text).toContain('tollgate_challenges_total{tool="probe"} 1')
    expect(text).toContain('tollgate_payment_moves_total{move="settle"} 1')
    expect(text).toContain('tollgate_earned_usd_total{tool="probe"} 0.01')
    expect(text).toContain('tollgate_call_duration_seconds_count{tool="probe"} 2')
    expect(text).toContain('tollgate_payments{state="unknown"} 0')
    expect(text).toContain('tollgate_ready 1')
    expect(text.trimEnd().endsWith('# EOF')).toBe(true)
    // Neither a wallet nor an address is a label of anything.
    expect(text).not.toMatch(/0x[0-9a-f]{40}|203\.0\.113/i)
  })

  it('says how many payments are unknown, and for how long', async () => {
    const server = await startServer({ env })
    server.facilitator.script('settle', ['reset'])
    await buy(server, 'one')
    server.clock.advance(400_000)
    const text = await (await ask(server, '/metrics')).text()
    expect(text).toContain('tollgate_payments{state="unknown"} 1')
    const [, age] = /^tollgate_payment_oldest_unknown_seconds (\S+)/m.exec(text) ?? []
    expect(Number(age)).toBeGreaterThanOrEqual(400)
  })

  it('knows every metric that the dashboard and the alerts ask for', async () => {
    const server = await startServer({ env })
    await buy(server, 'one')
    const known = new Set(namesIn(await (await ask(server, '/metrics')).text()))
    for (const file of ['grafana/tollgate.json', 'prometheus/alerts.yml']) {
      const text = await readFile(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
      const asked = namesIn(text)
      expect(asked.length).toBeGreaterThan(9)
      expect(asked.filter((name) => !known.has(name))).toEqual([])
    }
  })

  it('shows who met a limit, and lets them in again', async () => {
    const limits = JSON.stringify({ freeCalls: { perSecond: 0.001, burst: 2 } })
    const server = await startServer({ env: { ...env, TOLLGATE_LIMITS: limits } })
    const address = '203.0.113.9'
    const call = async (): Promise<number> =>
      (await callTool(server.url, 'probe-free', { text: 'one' }, { 'x-forwarded-for': address })).status
    expect([await call(), await call(), await call()]).toEqual([200, 200, 429])
    expect(await (await ask(server, '/limits')).json()).toMatchObject([
      { address, met: { freeCalls: 1 }, heldOff: true },
    ])
    const text = await (await ask(server, '/metrics')).text()
    expect(text).toContain('tollgate_limits_met_total{limit="freeCalls"} 1')
    expect(text).toContain('tollgate_addresses_held_off 1')
    const lifted = await ask(server, `/limits/lift?address=${address}`, {
      headers: { authorization: `Bearer ${token}` },
      method: 'POST',
    })
    expect(await lifted.json()).toEqual({ address, wasHeldOff: true })
    expect(await call()).toBe(200)
    expect(await (await ask(server, '/limits')).json()).toEqual([])
  })
})

describe('wallets whose runs were not paid', () => {
  it('are shown, and lifted in the store as well', async () => {
    const server = await startServer({ env })
    const { payers } = server.served.server.ledger
    const wallet = richWallet(server)
    const name = wallet.address.toLowerCase()
    const signed = await pay(wallet, await server.acceptsOf('probe'))
    for (let count = 0; count < 10; count += 1) await payers.strike(name, true)
    const call = async (): Promise<number> => {
      const headers = { 'payment-signature': signed.header }
      return (await callTool(server.url, 'probe', { text: 'one' }, headers)).status
    }
    expect(await call()).toBe(429)
    expect(await (await ask(server, '/limits')).json()).toMatchObject([
      { address: name, met: { strikes: 30 }, heldOff: true },
    ])
    const lifting = { headers: { authorization: `Bearer ${token}` }, method: 'POST' }
    const lifted = await ask(server, `/limits/lift?address=${wallet.address}`, lifting)
    expect(await lifted.json()).toEqual({ address: wallet.address, wasHeldOff: true })
    expect(await (await ask(server, '/limits')).json()).toEqual([])
    expect(await server.store.payers.get(name)).toMatchObject({ strikes: 0 })
    expect(await call()).toBe(200)
  })
})

it('says which setting moves the port of the operator where it is taken', async () => {
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  await expect(startServer({ env: { TOLLGATE_METRICS_PORT: port } })).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is taken; choose another one with TOLLGATE_METRICS_PORT.`,
  )
  taken.close()
})

describe('the log', () => {
  it('has a line for each request where that is asked for, without what was asked', async () => {
    const server = await startServer({ env: { TOLLGATE_ACCESS_LOG: '1' } })
    await fetch(`${server.url}/llms.txt?secret=1`)
    const answer = await callTool(server.url, 'probe', {})
    const lines = (): readonly Record<string, unknown>[] =>
      server.lines.map((line): Record<string, unknown> => JSON.parse(line)).filter(({ event }) => event === 'http')
    await expect.poll(() => lines().length, { timeout: 60_000 }).toBe(2)
    expect(lines()).toMatchObject([
      { method: 'GET', path: '/llms.txt', status: 200 },
      { method: 'POST', path: '/api/agentic/tools/probe', status: 402, requestId: answer.headers.get('x-request-id') },
    ])
  })
})
