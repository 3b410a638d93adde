import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { walletOf } from '../../sandbox/wallets.ts'
import { credentials, siwe } from './credentials.ts'
import { modeTool } from './mode-tool.ts'
import { type AccessServer, startAccessServer } from './access-server.ts'

let server: AccessServer
beforeAll(async () => {
  // Nothing listens at the facilitator's address: what only a pass opens has no need of it.
  server = await startAccessServer({ TOLLGATE_FACILITATOR_URL: 'http://127.0.0.1:9' }, [
    modeTool('posted', 'pass', 'site', ['POST']),
    modeTool('posted-free', 'free', 'site', ['POST']),
    modeTool('got', 'paid-or-pass', 'site', ['GET']),
  ])
})
afterAll(() => server.stop())

const opened = { entry: 'pass', passHolder: walletOf('holder').address.toLowerCase() }
const json = { 'content-type': 'application/json' }
const signedIn = async () => ({ authorization: await siwe(walletOf('holder'), server.url) })

async function ask(path: string, init: RequestInit = {}) {
  const answer = await fetch(`${server.url}/api/tools/${path}`, init)
  const text = await answer.text()
  return { status: answer.status, allow: answer.headers.get('allow'), body: text === '' ? {} : JSON.parse(text) }
}

describe('a tool that is called by POST only', () => {
  it('tells its terms to a GET without a credential, whatever the query, and names the address to post to', async () => {
    for (const query of ['', '?text=a', '?unknown=1']) {
      const { status, body } = await ask(`posted${query}`)
      expect(status).toBe(402)
      expect(body.resource.url).toBe(`${server.url}/api/tools/posted`)
      expect(body.accepts[0]).toMatchObject({ amount: '0', maxAmountRequired: '0' })
      expect(body.extensions['tool-pass'].info.challenges).toHaveLength(2)
    }
    expect((await ask('posted', { method: 'HEAD' })).status).toBe(402)
  })

  it('never runs for a GET, not even for the holder of the pass', async () => {
    const { status, allow, body } = await ask('posted?text=a', { headers: await signedIn() })
    expect([status, allow, body.error.code]).toEqual([405, 'POST, HEAD, OPTIONS', 'method_not_allowed'])
    expect((await ask('posted-free?text=a')).status).toBe(405)
  })

  it('leaves a proof good that came with the wrong method', async () => {
    const { headers } = await credentials['a pass by a zero-value proof, v2']()
    expect((await ask('posted', { headers: headers ?? {} })).status).toBe(405)
    const posted = await ask('posted', { method: 'POST', headers: { ...json, ...headers }, body: '{"text":"a"}' })
    expect([posted.status, posted.body]).toEqual([200, opened])
  })

  it('runs for a POST, and says in OPTIONS that there is nothing else', async () => {
    const posted = await ask('posted', { method: 'POST', headers: { ...json, ...(await signedIn()) }, body: '{}' })
    expect([posted.status, posted.body]).toEqual([200, opened])
    expect((await ask('posted', { method: 'OPTIONS' })).allow).toBe('POST, HEAD, OPTIONS')
  })
})

describe('a tool that is called by GET only', () => {
  it('tells its price to a POST, and does not run for it', async () => {
    const probe = { method: 'POST', headers: json, body: '{"text":"a"}' }
    expect((await ask('got', probe)).status).toBe(402)
    const { status, allow } = await ask('got', { ...probe, headers: { ...json, ...(await signedIn()) } })
    expect([status, allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const got = await ask('got?text=a', { headers: await signedIn() })
    expect([got.status, got.body]).toEqual([200, opened])
  })
})

describe('a tool that is not there', () => {
  it('is answered with the address of the list that it would be in', async () => {
    const missing = await ask('nothing')
    expect([missing.status, missing.body.error.nextStep]).toEqual([
      404,
      'The catalog at /api/tools lists the tools. Nothing was charged.',
    ])
    const other = await (await fetch(`${server.url}/api/agentic/tools/http-free`)).json()
    expect(other).toMatchObject({
      error: { nextStep: 'The manifest at /api/agentic/manifest lists the tools. Nothing was charged.' },
    })
  })
})

describe('while the facilitator is down', () => {
  beforeAll(async () => {
    for (let round = 0; round < 5; round += 1) {
      const { headers } = await credentials['a payment, v2']()
      await server.call('paid', 'POST', { headers: headers ?? {} })
    }
  })

  it('nobody is asked for money that could not be taken', async () => {
    expect((await server.call('paid', 'POST', {})).status).toBe(503)
    expect((await ask('got')).status).toBe(503)
  })

  it('a tool that only a pass opens still tells its terms, and lets the holder in', async () => {
    for (const init of [{}, { method: 'POST' }, { method: 'POST', headers: json, body: '{"text":"a"}' }]) {
      expect((await ask('posted', init)).status).toBe(402)
    }
    expect((await server.call('pass', 'POST', { headers: await signedIn() })).body).toEqual(opened)
  })
})
