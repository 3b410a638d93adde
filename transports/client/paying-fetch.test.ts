import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { httpbis } from 'http-message-signatures'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { walletOf } from '../../sandbox/wallets.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { directoryPath, directoryType } from '../../src/platform/http-signature.ts'
import { endpointOf } from '../../src/tool/urls.ts'
import { type AccessServer, price, startAccessServer, toolOf } from '../../test/access/access-server.ts'
import { decode, encode } from '../../test/money/payer.ts'
import { knownAssets } from './assets.ts'
import { NotPaidError } from './errors.ts'
import { openJournal } from './journal.ts'
import { createPayingFetch, type PayingFetchParts } from './paying-fetch.ts'
import type { BuyerOptions } from './options.ts'
import { policyOf } from './policy.ts'
import { createSpender } from './spender.ts'

type Json = Record<string, unknown>

let folder = ''
let server: AccessServer
let keyless: AccessServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-client-'))
  const file = join(folder, 'key.pem')
  const { privateKey } = generateKeyPairSync('ed25519')
  await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  server = await startAccessServer({ TOLLGATE_SIGNING_KEY_FILE: file })
  keyless = await startAccessServer()
})
afterAll(async () => {
  await server.stop()
  await keyless.stop()
  await rm(folder, { recursive: true, force: true })
})

const urlAt = (at: AccessServer, mode: 'paid' | 'pass' = 'paid'): string => endpointOf(toolOf(mode, 'POST'), at.url)

const post = (url: string) =>
  ({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body: '{"text":"a"}' }) as const

type Changes = Partial<PayingFetchParts> & { readonly policy?: BuyerOptions }

/** A client, and how often it signed. */
async function clientOf({ policy = {}, ...changes }: Changes = {}, wallet = walletOf('payer')) {
  const account = privateKeyToAccount(wallet.privateKey)
  let signatures = 0
  const signTypedData: typeof account.signTypedData = (typed) => {
    signatures += 1
    return account.signTypedData(typed)
  }
  const journal = await openJournal(':memory:', systemClock.now)
  const spender = createSpender({
    account: async () => ({ address: account.address, signTypedData }),
    journal,
    clock: systemClock,
    policy: policyOf({}, { budget: { perCall: '0.05', perDay: '1' }, ...policy }),
    assets: knownAssets,
  })
  const pay = createPayingFetch({
    spender,
    journal,
    fetch,
    clock: systemClock,
    signatures: 'advertised',
    timeoutMs: 60_000,
    mostBytes: 1_048_576,
    approve: undefined,
    ...changes,
  })
  return { pay, journal, signed: () => signatures }
}

/** A network that changes answers on their way; `edit` gets the status, the headers and the body. */
function meddling(edit: (status: number, headers: Headers, body: string) => string | undefined): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init)
    const headers = new Headers(answer.headers)
    const body = await answer.text()
    return new Response(edit(answer.status, headers, body) ?? body, { status: answer.status, headers })
  }
}

const without = (headers: Headers, ...names: readonly string[]): undefined => {
  for (const name of names) headers.delete(name)
}

const unsign = (headers: Headers): undefined => without(headers, 'signature', 'signature-input', 'content-digest')

const withOther = (headers: Headers, name: string, value: string): undefined => {
  headers.set(name, value)
}

/** The terms with something else in them, in header and body alike. */
function terms(headers: Headers, change: (challenge: Json) => Json): string {
  const changed = change(decode(headers.get('payment-required')))
  for (const name of ['payment-required', 'x-payment-required']) headers.set(name, encode(changed))
  return JSON.stringify(changed)
}

const toThief = (challenge: Json): Json => ({
  ...challenge,
  accepts: (challenge['accepts'] as readonly Json[]).map((one) => ({ ...one, payTo: walletOf('stranger').address })),
})

describe('the paying client', () => {
  it.each(['GET', 'POST'] as const)('pays by %s for an answer that is signed, once', async (method) => {
    const { pay, signed } = await clientOf()
    const before = await server.earned()
    const answer = await pay(method === 'GET' ? { method, url: `${urlAt(server)}?text=a%20b` } : post(urlAt(server)))
    expect(answer.status).toBe(200)
    expect(JSON.parse(Buffer.from(answer.body).toString('utf8'))).toEqual({ entry: 'payment' })
    expect(answer.payment).toMatchObject({ amount: price, state: 'paid' })
    expect(signed()).toBe(1)
    expect((await server.earned()).onChain - before.onChain).toBe(price)
  })

  it.each([
    ['nobody', () => [], 1],
    ['its host', (url: string) => [new URL(url).hostname], 2],
    ['its host and port', (url: string) => [new URL(url).host], 2],
  ] as const)('signs for a higher price than before where changes are allowed to %s', async (_who, hosts, times) => {
    let isDearer = false
    const dearer = (challenge: Json): Json => ({
      ...challenge,
      accepts: (challenge['accepts'] as readonly Json[]).map((one) => ({ ...one, amount: String(price * 2n) })),
    })
    const raised: typeof fetch = meddling((status, headers) =>
      status === 402 && isDearer ? terms(headers, dearer) : undefined,
    )
    const { pay, signed } = await clientOf({ fetch: raised, policy: { allowChanges: hosts(keyless.url) } })
    expect((await pay(post(urlAt(keyless)))).status).toBe(200)
    isDearer = true
    const end = await pay(post(urlAt(keyless))).catch((error: unknown) => error)
    // The server knows nothing of that price and refuses it.
    const expected = times === 1 ? { message: expect.stringContaining('more than it cost before') } : { status: 402 }
    expect(end).toMatchObject(expected)
    expect(signed()).toBe(times)
  })

  it('sends the same payment again where a server never answers it', async () => {
    const sent: (string | null)[] = []
    const stuckOnce: typeof fetch = async (input, init) => {
      const payment = new Headers(init?.headers).get('payment-signature')
      if (payment !== null) sent.push(payment)
      if (payment === null || sent.length > 1) return fetch(input, init)
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    }
    const { pay, signed } = await clientOf({ fetch: stuckOnce, timeoutMs: 2_000 })
    expect((await pay(post(urlAt(server)))).status).toBe(200)
    expect([sent.length, new Set(sent).size, signed()]).toEqual([2, 1, 1])
  })

  it('proves a pass by an authorization of amount zero', async () => {
    const holder = await (await clientOf({}, walletOf('holder'))).pay(post(urlAt(server, 'pass')))
    expect([holder.status, holder.payment?.amount]).toEqual([200, 0n])
    expect((await (await clientOf({}, walletOf('stranger'))).pay(post(urlAt(server, 'pass')))).status).toBe(403)
  })

  it('pays a server that does not sign and does not say so, unless it is told not to', async () => {
    const { pay } = await clientOf()
    expect((await pay(post(urlAt(keyless)))).status).toBe(200)
    const strict = await clientOf({ signatures: 'always' })
    await expect(strict.pay(post(urlAt(keyless)))).rejects.toThrow('not accepted')
    expect(strict.signed()).toBe(0)
    expect((await (await clientOf({ signatures: 'always' })).pay(post(urlAt(server)))).status).toBe(200)
  })

  it.each<[string, Parameters<typeof meddling>[0]]>([
    [
      'the money would go to somebody else',
      (status, headers) => (status === 402 ? terms(headers, toThief) : undefined),
    ],
    ['the terms lost their signature', (status, headers) => (status === 402 ? unsign(headers) : undefined)],
    ['the terms have somebody else’s signature', (_status, headers) => withOther(headers, 'signature', 'resp=:AAAA:')],
    ['the body is another than the header', (status) => (status === 402 ? '{"x402Version":2}' : undefined)],
    ['there is no directory', (_status, headers, body) => (body.includes('"keys"') ? unsign(headers) : undefined)],
  ])('signs nothing where %s', async (_what, edit) => {
    const before = await server.earned()
    const { pay, signed } = await clientOf({ fetch: meddling(edit) })
    await expect(pay(post(urlAt(server)))).rejects.toThrow(/not accepted|not paid/)
    expect(signed()).toBe(0)
    expect((await server.earned()).onChain).toBe(before.onChain)
  })

  it('remembers who signs: from then on an answer without a signature is a forgery', async () => {
    let strip = false
    const { pay, signed } = await clientOf({
      fetch: meddling((_status, headers) => {
        if (!strip || !headers.has('payment-required')) return undefined
        unsign(headers)
        return terms(headers, (challenge) => ({ ...toThief(challenge), extensions: {} }))
      }),
    })
    expect((await pay(post(urlAt(server)))).status).toBe(200)
    strip = true
    await expect(pay(post(urlAt(server)))).rejects.toThrow('not accepted')
    expect(signed()).toBe(1)
  })

  it.each<[string, Parameters<typeof meddling>[0]]>([
    ['the answer was changed', (status, _headers, body) => (body.includes('entry') ? '{"entry":"lies"}' : undefined)],
    [
      'the answer lost its signature',
      (status, headers) => (status === 200 && headers.has('payment-response') ? unsign(headers) : undefined),
    ],
    [
      'the receipt was changed',
      (_status, headers) =>
        headers.has('payment-response') ? withOther(headers, 'payment-response', 'e30=') : undefined,
    ],
    ['the receipt was taken away', (_status, headers) => without(headers, 'payment-response')],
  ])('does not believe a paid answer where %s', async (_what, edit) => {
    await expect((await clientOf({ fetch: meddling(edit) })).pay(post(urlAt(server)))).rejects.toThrow('not accepted')
  })

  it('sends the same payment again where the answer was lost, and is charged once', async () => {
    let lost = 0
    const before = await server.earned()
    const { pay, signed } = await clientOf({
      fetch: async (input, init) => {
        const answer = await fetch(input, init)
        if (!answer.headers.has('payment-response') || lost > 0) return answer
        lost += 1
        throw new TypeError('fetch failed')
      },
    })
    const answer = await pay(post(urlAt(server)))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('idempotent-replayed')).toBe('true')
    expect([lost, signed()]).toEqual([1, 1])
    expect((await server.earned()).onChain - before.onChain).toBe(price)
  })

  it.each<[string, BuyerOptions]>([
    ['it costs $0.01, and $0.009999 is the most for one call', { budget: { perCall: '0.009999' } }],
    ['$0.009999 is left of $0.009999 a day', { budget: { perDay: '0.009999' } }],
    ['$0.00 is left of $0.00 an hour', { budget: { perHour: '0' } }],
    ['it is not sold on Base Sepolia', { network: 'eip155:84532' }],
    ['is not among the hosts that may be paid', { hosts: ['tools.example.org'] }],
  ])('signs nothing where %s, and names the setting', async (reason, policy) => {
    const { pay, signed } = await clientOf({ policy })
    const call = pay(post(urlAt(server)))
    await expect(call).rejects.toThrow(reason)
    await expect(call).rejects.toThrow(/To allow it: .*TOLLGATE_/)
    await expect(call).rejects.toBeInstanceOf(NotPaidError)
    expect(signed()).toBe(0)
  })

  it('keeps to its limit in calls at the same time', async () => {
    const { pay, signed } = await clientOf({ policy: { budget: { perDay: '0.02' } } })
    const calls = await Promise.allSettled(
      Array.from({ length: 5 }, (_none, index) => pay({ ...post(urlAt(server)), callId: String(index) })),
    )
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(signed()).toBe(2)
  })

  it('takes the same call at the same time for one', async () => {
    const { pay, signed } = await clientOf()
    const answers = await Promise.all(Array.from({ length: 5 }, () => pay(post(urlAt(server)))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(signed()).toBe(1)
  })
})

describe('signed answers, as an independent implementation sees them', () => {
  async function keys(): Promise<Json> {
    const answer = await fetch(`${server.url}${directoryPath}`)
    expect(answer.headers.get('content-type')).toBe(directoryType)
    const { keys: listed } = (await answer.json()) as { readonly keys: readonly Json[] }
    return listed[0] ?? {}
  }

  async function isGood(answer: Response, method: string): Promise<boolean | null> {
    const jwk = await keys()
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    return httpbis.verifyMessage(
      {
        all: true,
        requiredParams: ['created', 'expires', 'keyid', 'alg', 'tag'],
        keyLookup: async ({ keyid }) =>
          keyid === jwk['kid']
            ? {
                id: String(keyid),
                algs: ['ed25519'],
                verify: async (data, bytes) => verify(null, data, publicKey, bytes),
              }
            : null,
      },
      { status: answer.status, headers: Object.fromEntries(answer.headers) },
      { method, url: answer.url, headers: {} },
    )
  }

  it.each([
    ['POST', '/api/tools/http-paid', undefined],
    ['POST', '/api/tools/http-paid', '{"text":"a"}'],
    ['POST', '/api/tools/http-pass', '{}'],
    ['POST', '/api/agentic/tools/mcp-paid-or-pass', undefined],
    ['GET', '/api/tools/http-paid-or-pass?text=a%20b', undefined],
    ['HEAD', '/api/tools/http-paid', undefined],
  ])('a 402 to %s %s %s', async (method, path, body) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    })
    expect(answer.status).toBe(402)
    expect(await isGood(answer, method)).toBe(true)
    const { extensions } = decode(answer.headers.get('payment-required')) as { readonly extensions: Json }
    expect(extensions['http-message-signatures']).toEqual({
      info: {
        registrationUrl: `${server.url}/signatures.txt`,
        signatureSchemes: ['ed25519'],
        tags: ['web-bot-auth', 'agent-browser-auth'],
      },
    })
    const challenge = Buffer.from(answer.headers.get('payment-required') ?? '', 'base64')
    expect(challenge.length).toBeLessThanOrEqual(1_450)
  })

  it('a paid 200, and the refusal of a payment', async () => {
    let paid: Response | undefined
    let header = ''
    const { pay } = await clientOf({
      fetch: async (input, init) => {
        const answer = await fetch(input, init)
        header = new Headers(init?.headers).get('payment-signature') ?? header
        if (answer.headers.has('payment-response')) paid = answer.clone()
        return answer
      },
    })
    await pay(post(urlAt(server)))
    if (paid === undefined) throw new Error('Nothing was paid.')
    expect(await isGood(paid, 'POST')).toBe(true)
    expect(paid.headers.get('signature-input')).toContain('"payment-response"')

    const { payload, ...rest } = decode(header) as { payload: { authorization: Json } }
    // Another nonce than the one that was signed: nothing of this payment was ever sent to the chain.
    const authorization = { ...payload.authorization, nonce: `0x${'5'.repeat(64)}` }
    const worthless = { ...rest, payload: { ...payload, authorization } }
    const { url, ...init } = post(urlAt(server))
    const refused = await fetch(url, { ...init, headers: { ...init.headers, 'payment-signature': encode(worthless) } })
    expect(refused.status).toBe(402)
    expect(await isGood(refused, 'POST')).toBe(true)
  })

  it('the page that the challenge names tells how to check', async () => {
    const answer = await fetch(`${server.url}/signatures.txt`)
    expect(await answer.text()).toContain(`${server.url}${directoryPath}`)
    const catalog = (await (await fetch(`${server.url}/api/tools`)).json()) as {
      readonly firstUse: { readonly paidCall: { readonly responseIntegrity: Json } }
    }
    const { kid } = await keys()
    expect(catalog.firstUse.paidCall.responseIntegrity).toMatchObject({ signed: true, keyId: kid })
  })

  it('are not announced over MCP, where nothing is signed', async () => {
    const { body } = await server.call('paid', 'MCP', {})
    expect(Object.keys(body['extensions'] as Json)).not.toContain('http-message-signatures')
  })

  it('are not there, and not announced, without a key', async () => {
    const answer = await fetch(urlAt(keyless), { method: 'POST' })
    expect(answer.status).toBe(402)
    expect(answer.headers.has('signature') || answer.headers.has('content-digest')).toBe(false)
    expect(await answer.text()).not.toContain('http-message-signatures')
    expect((await fetch(`${keyless.url}${directoryPath}`)).status).toBe(404)
    expect((await fetch(`${keyless.url}/signatures.txt`)).status).toBe(404)
  })
})
