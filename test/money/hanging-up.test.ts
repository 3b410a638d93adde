import { request } from 'node:http'
import { expect, it } from 'vitest'

import { freshKey, pay } from './payer.ts'
import { serversOfTests } from './servers-of-tests.ts'
import { callTool, payTo, richWallet, type TestServer } from './test-server.ts'

const startServer = serversOfTests()

/** Calls a tool, and hangs up as soon as it runs; where it does not run, the answer ends the wait. */
function hangUp({ url, probes }: TestServer, slug: string, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<void>((resolve) => {
    const before = probes.runs()
    const body = JSON.stringify({ text: 'x' })
    const out = request(`${url}/api/agentic/tools/${slug}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
    })
    out.on('error', () => {})
    out.on('response', (answer) => {
      answer.resume()
      clearInterval(timer)
      resolve()
    })
    out.end(body)
    const timer = setInterval(() => {
      if (probes.runs() === before) return
      clearInterval(timer)
      out.once('close', resolve)
      out.destroy()
    }, 2)
  })
}

/** A server whose tools run until their caller is gone. */
async function startWithEndlessRuns(): Promise<TestServer> {
  const server = await startServer()
  server.probes.onRun = (_text, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
  return server
}

it('the daily allowance counts a call whose caller hung up while it ran', async () => {
  const server = await startWithEndlessRuns()
  for (let index = 0; index < 60; index += 1) await hangUp(server, 'probe-free')
  server.probes.onRun = () => {}
  await expect.poll(async () => (await callTool(server.url, 'probe-free', { text: 'x' })).status).toBe(429)
  expect(server.probes.runs()).toBeLessThanOrEqual(50)
})

it('a wallet whose payers hang up while the tool runs gets ten runs for nothing, and no more for ten minutes', async () => {
  const server = await startWithEndlessRuns()
  const wallet = richWallet(server)
  const accepts = await server.acceptsOf('probe')
  const soon = (): bigint => BigInt(Math.floor(server.clock.now() / 1_000) + 300)
  const headers = async () => ({
    'payment-signature': (await pay(wallet, accepts, { validBefore: soon() })).header,
    'idempotency-key': freshKey(),
  })
  for (let index = 0; index < 14; index += 1) {
    const runs = server.probes.runs()
    await hangUp(server, 'probe', await headers())
    // The one before is over when its row says so.
    if (server.probes.runs() > runs) {
      await expect
        .poll(async () => (await server.store.payments.totals()).counts['ABORTED'], { timeout: 60_000 })
        .toBe(runs + 1)
    }
  }
  expect(server.probes.runs()).toBe(10)
  server.probes.onRun = () => {}
  expect((await callTool(server.url, 'probe', { text: 'x' }, await headers())).status).toBe(429)
  expect(server.chain.transfersTo(payTo)).toHaveLength(0)
  server.clock.advance(601_000)
  expect((await callTool(server.url, 'probe', { text: 'x' }, await headers())).status).toBe(200)
})
