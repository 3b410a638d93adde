import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'

import { httpbis } from 'http-message-signatures'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { leastCpuMs } from '../../test/harness/least-cpu.ts'
import {
  createResponseSigner,
  directoryPath,
  readDirectory,
  readSigningKey,
  type SignedResponse,
  verifyResponse,
} from './http-signature.ts'

// RFC 8037, appendix A.
const rfcKey = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}
const origin = 'https://tools.example.org'
const now = Date.parse('2026-11-21T12:00:00Z')
const key = readSigningKey(JSON.stringify(rfcKey))
const signer = createResponseSigner(key, origin, () => now)
const request = { method: 'GET', url: `${origin}/api/tools/probe?text=a%20b` }
const fields = { 'content-type': 'application/json', 'payment-required': 'eyJ4IjoxfQ==' }

// The independent implementation looks at the clock of the machine.
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'], now }))
afterAll(() => vi.useRealTimers())

function answer(body = '{"x":1}'): SignedResponse {
  const bytes = Buffer.from(body)
  const headers = signer.sign({ status: 402, body: bytes, fields, request })
  return { status: 402, headers: new Headers({ ...fields, ...headers }), body: bytes }
}

function directory(at = now): ReturnType<typeof readDirectory> {
  const { body, headers } = signer.directory()
  const response = { status: 200, headers: new Headers(headers), body: Buffer.from(body) }
  return readDirectory(response, `${origin}${directoryPath}`, at)
}

/** The same answer with some headers changed; null takes one away. */
function changed(from: SignedResponse, headers: Readonly<Record<string, string | null>>): SignedResponse {
  const next = new Headers(from.headers)
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return { ...from, headers: next }
}

function independently(response: SignedResponse, asked = request): Promise<boolean | null> {
  const publicKey = createPublicKey(key.privateKey)
  return httpbis.verifyMessage(
    {
      all: true,
      keyLookup: async ({ keyid }) =>
        keyid === key.jwk.kid
          ? { id: keyid, algs: ['ed25519'], verify: async (data, bytes) => verify(null, data, publicKey, bytes) }
          : null,
    },
    { status: response.status, headers: Object.fromEntries(response.headers) },
    { ...asked, headers: {} },
  )
}

describe('the signature of a response', () => {
  it('is named by the thumbprint of RFC 7638', () => {
    expect(key.jwk.kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })

  it('is accepted by an independent implementation and by ours', async () => {
    expect(await independently(answer())).toBe(true)
    expect(() => verifyResponse(answer(), request, directory(), now)).not.toThrow()
  })

  it('covers the body, the terms and the request', () => {
    const input = answer().headers.get('signature-input')
    expect(input).toBe(
      `resp=("@status" "content-digest" "content-type" "payment-required" "@method";req "@authority";req "@path";req "@query";req);created=1795262400;expires=1795262700;keyid="${key.jwk.kid}";alg="ed25519";tag="x402-response"`,
    )
  })

  it('is refused by both where something it covers was changed', async () => {
    const response = changed(answer(), { 'payment-required': 'eyJ4IjoyfQ==' })
    await expect(independently(response)).resolves.toBe(false)
    expect(() => verifyResponse(response, request, directory(), now)).toThrow('does not fit')
  })

  it.each([
    ['the body was changed', { ...answer(), body: Buffer.from('{"x":2}') }, request],
    ['the body was changed', changed(answer(), { 'content-digest': 'sha-256=:AAAA:' }), request],
    ['content-digest is missing', changed(answer(), { 'content-digest': null }), request],
    ['does not fit', { ...answer(), status: 200 }, request],
    ['does not fit', answer(), { ...request, method: 'POST' }],
    ['does not fit', answer(), { ...request, url: `${origin}/api/tools/other?text=a%20b` }],
    ['does not fit', answer(), { ...request, url: `${origin}/api/tools/probe?text=c` }],
    ['does not fit', answer(), { ...request, url: request.url.replace('tools.', 'evil.') }],
    ['there is none', changed(answer(), { 'signature-input': null, signature: null }), request],
    ['is missing', changed(answer(), { signature: null }), request],
    ['cannot be read', changed(answer(), { 'signature-input': 'resp=("@status"' }), request],
    ['does not cover "payment-response"', changed(answer(), { 'payment-response': 'e30=' }), request],
    ['not in the answer', changed(answer(), { 'content-type': null }), request],
  ])('is refused: %s', (reason, response, asked) => {
    expect(() => verifyResponse(response, asked, directory(), now)).toThrow(reason)
  })

  it.each([
    ['there are several', (input: string) => `${input}, again=${input.slice('resp='.length)}`],
    ['covers something twice', (input: string) => input.replace('("@status"', '("@status" "@status"')],
    ['does not cover "content-digest"', (input: string) => input.replace('"content-digest" ', '')],
    ['does not cover "@authority";req', (input: string) => input.replace('"@authority";req', '"@authority"')],
    ['key is not in the directory', (input: string) => input.replace(key.jwk.kid, 'somebody-else')],
    ['algorithm', (input: string) => input.replace('alg="ed25519"', 'alg="none"')],
    ['there is none', (input: string) => input.replace('x402-response', 'web-bot-auth')],
    ['has expired', (input: string) => input.replace(/expires=\d+;/, '')],
    ['in the future', (input: string) => input.replace(/created=\d+;/, '')],
  ])('is refused where its parameters are others: %s', (reason, edit) => {
    const signed = answer()
    const input = edit(signed.headers.get('signature-input') ?? '')
    const signature = signed.headers.get('signature') ?? ''
    const both = input.includes(', again=') ? `${signature}, again=${signature.slice('resp='.length)}` : signature
    const response = changed(signed, { 'signature-input': input, signature: both })
    expect(() => verifyResponse(response, request, directory(), now)).toThrow(reason)
  })

  it('expires', () => {
    expect(() => verifyResponse(answer(), request, directory(), now + 365_000)).toThrow('has expired')
    expect(() => verifyResponse(answer(), request, directory(), now - 65_000)).toThrow('in the future')
  })

  it('reads hostile headers in bounded time', async () => {
    const hostile = [
      `resp=${'("a" '.repeat(1_500)}`,
      `resp=(${'"a";b '.repeat(1_200)}`,
      `resp=("${'\\"'.repeat(3_000)}`,
    ]
    for (const input of hostile) {
      const response = changed(answer(), { 'signature-input': input })
      const read = (): unknown => verifyResponse(response, request, directory(), now)
      const took = await leastCpuMs(100, () => expect(read).toThrow('cannot be read'))
      expect(took).toBeLessThan(100)
    }
  })
})

describe('the directory of keys', () => {
  it('is signed with the key it lists, and an independent implementation agrees', async () => {
    const { body, headers } = signer.directory()
    expect(JSON.parse(body)).toEqual({ keys: [{ ...key.jwk }] })
    const asked = { method: 'GET', url: `${origin}${directoryPath}` }
    expect(await independently({ status: 200, headers: new Headers(headers), body: Buffer.from(body) }, asked)).toBe(
      true,
    )
  })

  it('shows the next key before it signs and the former one after, so that nobody who kept either is lost', () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const next = readSigningKey(pem)
    const at = (maker: typeof signer) => {
      const shown = maker.directory()
      return readDirectory(
        { status: 200, headers: new Headers(shown.headers), body: Buffer.from(shown.body) },
        `${origin}${directoryPath}`,
        now,
      )
    }
    const body = Buffer.from('{"x":1}')
    const signedBy = (maker: typeof signer): SignedResponse => {
      const headers = maker.sign({ status: 402, body, fields, request })
      return { status: 402, headers: new Headers({ ...fields, ...headers }), body }
    }
    const before = createResponseSigner(key, origin, () => now, [next])
    const after = createResponseSigner(next, origin, () => now, [key])
    for (const kept of [at(before), at(after)]) {
      expect([...kept.keys()].toSorted()).toEqual([key.jwk.kid, next.jwk.kid].toSorted())
      for (const maker of [signer, before, after]) {
        expect(() => verifyResponse(signedBy(maker), request, kept, now)).not.toThrow()
      }
    }
    // Without the step in between, who kept the old directory refuses the new key.
    const abrupt = createResponseSigner(next, origin, () => now)
    expect(() => verifyResponse(signedBy(abrupt), request, at(signer), now)).toThrow('not in the directory')
  })

  it('is refused at another address, and after it has expired', () => {
    const { body, headers } = signer.directory()
    const response = { status: 200, headers: new Headers(headers), body: Buffer.from(body) }
    expect(() => readDirectory(response, `https://evil.example.org${directoryPath}`, now)).toThrow(
      'is not signed for evil.example.org',
    )
    expect(() => directory(now + 7_300_000)).toThrow('has expired')
  })

  it('does not accept a key that it is not signed with', () => {
    const other = createResponseSigner(foreignKey(), origin, () => now)
    const response = {
      status: 200,
      headers: new Headers(other.directory().headers),
      body: Buffer.from(signer.directory().body),
    }
    expect(() => readDirectory(response, `${origin}${directoryPath}`, now)).toThrow('no key that it is signed with')
  })

  it.each(['', 'null', '{"keys":{}}', '{"keys":[]}', '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA"}]}'])(
    'gives no key where it is %j',
    (body) => {
      const response = { status: 200, headers: new Headers(), body: Buffer.from(body) }
      expect(() => readDirectory(response, `${origin}${directoryPath}`, now)).toThrow('not accepted')
    },
  )
})

describe('a signing key', () => {
  it('is read as PEM and as JWK', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const { x } = publicKey.export({ format: 'jwk' })
    const pem = readSigningKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
    const jwk = readSigningKey(JSON.stringify(privateKey.export({ format: 'jwk' })))
    expect(pem.jwk).toEqual(jwk.jwk)
    expect(pem.jwk.x).toBe(x)
    expect(JSON.stringify(pem.jwk)).not.toContain('"d"')
    expect(verify(null, Buffer.from('a'), publicKey, sign(null, Buffer.from('a'), pem.privateKey))).toBe(true)
  })

  it.each(['', 'secret words', '{"kty":"OKP","d":"secret words"}', '{secret words'])(
    'is refused without a word of the file: %j',
    (text) => {
      expect(() => readSigningKey(text)).toThrow(/^There is no private key in PEM or JWK form\.$/)
    },
  )

  it('is refused where it is of another kind', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    expect(() => readSigningKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())).toThrow('Ed25519')
  })
})

function foreignKey(): ReturnType<typeof readSigningKey> {
  const { privateKey } = generateKeyPairSync('ed25519')
  return readSigningKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
}
