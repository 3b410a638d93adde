import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createSiweCheck, readSiweHeader, readSiwxHeader } from '../../src/access/siwe.ts'
import { signAuthorization } from '../../sandbox/sign.ts'
import { walletOf } from '../../sandbox/wallets.ts'
import { contracts } from '../../sandbox/addresses.ts'
import { type AccessServer, startAccessServer } from '../access/access-server.ts'
import { encode } from '../money/payer.ts'

const origin = 'https://shop.example'
const victim = walletOf('holder')
const thief = walletOf('stranger')
const now = Date.parse('2026-11-21T12:00:00Z')

const check = createSiweCheck({ origin, chainId: 8453, now: () => now, contractAccepts: async () => false })

type Fields = Readonly<Record<string, string>>
const good: Fields = {
  head: `shop.example wants you to sign in with your Ethereum account:`,
  address: victim.address,
  gap: '\nSign in.\n',
  URI: `${origin}/api`,
  Version: '1',
  'Chain ID': '8453',
  Nonce: 'abcdef0123456789',
  'Issued At': '2026-11-21T11:59:00.000Z',
  'Expiration Time': '2026-11-21T12:10:00.000Z',
}

function textOf(fields: Fields): string {
  const { head, address, gap, ...pairs } = fields
  return [head, address, gap, ...Object.entries(pairs).map(([name, value]) => `${name}: ${value}`)].join('\n')
}

const signed = (text: string, by = victim) => privateKeyToAccount(by.privateKey).signMessage({ message: text })
const headerOf = (text: string, signature: string): string =>
  `SIWE ${Buffer.from(text).toString('base64url')}.${signature}`

/** Messages that the victim signed for somebody else, or at another time: with nothing wrong but what they say. */
const elsewhere: readonly Fields[] = [
  ...[
    'evil.example',
    'shop.example.evil.example',
    'shop.example:8443',
    'shop.example@evil.example',
    'evil.example#shop.example',
    'xshop.example',
    'SHOP.EXAMPLE.',
    'shop.example.',
    'shop.example ',
    'https://evil.example',
    'shop.exampl\u0435',
    'shop%2Eexample',
    '',
  ].map((domain) => ({ ...good, head: `${domain} wants you to sign in with your Ethereum account:` })),
  ...[
    'https://evil.example/',
    'https://shop.example.evil.example/api',
    'https://shop.example@evil.example/api',
    'https://shop.examplee/api',
    'http://shop.example/api',
    '//shop.example/api',
    'shop.example/api',
    'https:/shop.example/api',
    'https://shop.example:8443/api',
    'ipfs://shop.example',
    ' https://shop.example/api',
    'https://evil.example/?https://shop.example/',
  ].map((URI) => ({ ...good, URI })),
  ...['0', '2', '01', '1.0', ' 1', ''].map((Version) => ({ ...good, Version })),
  ...['1', '84532', '8453.0', '0x2105', '-8453', '8453 ', '84530', ''].map((id) => ({
    ...good,
    'Chain ID': id,
  })),
  ...['', 'short', 'has space 123', 'tab\there12345', 'ümlaut12345', 'a-b-c-d-e-f-g', 'x'.repeat(300)].map((Nonce) => ({
    ...good,
    Nonce,
  })),
  ...['2026-11-21T12:02:00.000Z', '2027-01-01T00:00:00.000Z', 'yesterday', '1763726340', '', '2026-11-21'].map(
    (at) => ({
      ...good,
      'Issued At': at,
    }),
  ),
  ...[
    '2026-11-21T12:00:00.000Z',
    '2026-11-21T11:59:59.000Z',
    '2026-11-21T13:05:00.000Z',
    '2026-11-22T12:00:00.000Z',
    '9999-12-31T23:59:59.000Z',
    'never',
    '',
    '+275760-09-13T00:00:00.000Z',
  ].map((at) => ({ ...good, 'Expiration Time': at })),
  { ...good, 'Not Before': '2026-11-21T12:05:00.000Z' },
  { ...good, 'Not Before': 'later' },
  Object.fromEntries(Object.entries(good).filter(([name]) => name !== 'Expiration Time')),
]

/** Texts that the thief signed, in which one reader might see the victim. */
const disguised: readonly string[] = [
  textOf({ ...good, address: `${thief.address}\n${victim.address}` }).replace(`${thief.address}\n`, ''),
  textOf({ ...good, gap: `\nI am ${thief.address}.\n` }),
  `${thief.address}\n${textOf(good)}`,
  textOf({ ...good, head: `${good['head']}\n${thief.address}` }),
  `${textOf({ ...good, address: thief.address })}\nResources:\n- ${victim.address}`,
  textOf(good).replaceAll('\n', '\r\n'),
  textOf(good).replace(victim.address, victim.address.toLowerCase()),
  textOf(good).replace(victim.address, `0x${'0'.repeat(24)}${victim.address.slice(2)}`),
  `\ufeff${textOf(good)}`,
  `${textOf(good)}\nURI: ${origin}/again`,
  `${textOf(good)}\nNonce: 0123456789`,
]

describe('a sign-in', () => {
  it('that is what it should be is taken', async () => {
    const text = textOf(good)
    const found = await check(readSiweHeader(headerOf(text, await signed(text))))
    expect(found.address).toBe(victim.address)
  })

  it('is not taken where the victim signed it for somebody else or another time', async () => {
    expect(elsewhere.length).toBeGreaterThan(55)
    for (const fields of elsewhere) {
      const text = textOf(fields)
      const signature = await signed(text)
      const taken = await Promise.resolve()
        .then(() => check(readSiweHeader(headerOf(text, signature))))
        .catch((error: unknown) => error)
      expect(taken, text).toMatchObject({ code: 'proof_rejected' })
    }
  })

  it('signed by the thief does not pass for the victim’s', async () => {
    for (const text of disguised) {
      const signature = await signed(text, thief)
      const outcome: unknown = await Promise.resolve()
        .then(() => check(readSiweHeader(headerOf(text, signature))))
        .catch((error: unknown) => error)
      // A message that names the thief may well be the thief's own.
      const isHisOwn = text.split('\n')[1] === thief.address
      expect(outcome, text).toMatchObject(isHisOwn ? { address: thief.address } : { code: 'proof_rejected' })
    }
  })

  it('is not taken with another signature than its own, in whatever form', async () => {
    const text = textOf(good)
    const right = await signed(text)
    const other = await signed(`${text} `)
    const body = right.slice(2, -2)
    const wrong = [
      other,
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(65)}`,
      '0x',
      '0x00',
      `${right}00`,
      right.slice(0, -2),
      `0x${body}${right.endsWith('1b') ? '1c' : '1b'}`,
      `0x${body}02`,
      `0x${body}ff`,
      `0x${body.slice(64)}${body.slice(0, 64)}${right.slice(-2)}`,
      `0x${'00'.repeat(12)}${victim.address.slice(2)}${'6492'.repeat(16)}`,
      `${right}${'6492'.repeat(16)}`,
    ]
    for (const signature of wrong) {
      const outcome: unknown = await Promise.resolve()
        .then(() => check(readSiweHeader(headerOf(text, signature))))
        .catch((error: unknown) => error)
      expect(outcome, signature).toMatchObject({ code: 'proof_rejected' })
    }
  })

  it('is not taken by JSON whose fields would write more lines than they are', async () => {
    const text = textOf(good)
    const signature = await signed(text, thief)
    const fields = {
      domain: 'shop.example',
      address: victim.address,
      statement: 'Sign in.',
      uri: `${origin}/api`,
      version: '1',
      chainId: 'eip155:8453',
      type: 'eip191',
      nonce: good['Nonce'],
      issuedAt: good['Issued At'],
      expirationTime: good['Expiration Time'],
      signature,
    }
    const injected = `x\n\nURI: ${origin}/api\nVersion: 1\nChain ID: 8453`
    for (const changed of [
      {},
      { statement: injected },
      { address: `${thief.address}\n${victim.address}` },
      { domain: `shop.example wants you to sign in with your Ethereum account:\n${victim.address}\n\nx` },
      { nonce: `${good['Nonce']}\nIssued At: ${good['Issued At']}` },
      { chainId: 'eip155:8453\n' },
      { resources: [`x\nURI: ${origin}`] },
      { requestId: `x\nNonce: abcdefgh12` },
    ]) {
      const outcome: unknown = await Promise.resolve()
        .then(() => check(readSiwxHeader(encode({ ...fields, ...changed }))))
        .catch((error: unknown) => error)
      expect(outcome, JSON.stringify(changed)).toMatchObject({ code: 'proof_rejected' })
    }
  })
})

describe('a zero-value proof of the pass', () => {
  let server: AccessServer
  beforeAll(async () => {
    server = await startAccessServer()
  })
  afterAll(() => server.stop())

  it('gets in as it was signed, and in none of its other forms', async () => {
    const payTo = walletOf('payTo').address
    const proofOf = () => signAuthorization({ wallet: victim, to: payTo, value: 0n })
    const accepted = {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '0',
      asset: contracts.usdc,
      payTo,
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
    }
    const send = async (payload: unknown, terms: object = {}): Promise<number> => {
      const header = encode({ x402Version: 2, accepted: { ...accepted, ...terms }, payload })
      return (await server.call('pass', 'POST', { headers: { 'payment-signature': header } })).status
    }
    const proof = await proofOf()
    const { authorization, signature } = proof
    const withField = (change: object) => ({ signature, authorization: { ...authorization, ...change } })
    const late = String(Number(authorization.validBefore) + 1)
    const attempts: readonly (readonly [unknown, object?])[] = [
      ...[thief.address, payTo, `0x${'0'.repeat(40)}`, contracts.smartWallet, '', null].map(
        (from) => [withField({ from })] as const,
      ),
      ...[thief.address, victim.address, `0x${'0'.repeat(40)}`].map((to) => [withField({ to })] as const),
      ...['1', '10000', '-0', '00', '', null, 0].map((value) => [withField({ value })] as const),
      ...[late, '0', '9999999999', '1'].map((validBefore) => [withField({ validBefore })] as const),
      ...['1', '9999999999'].map((validAfter) => [withField({ validAfter })] as const),
      ...[`0x${'0'.repeat(64)}`, `0x${'ab'.repeat(32)}`, '0x', null].map((nonce) => [withField({ nonce })] as const),
      ...[
        '0x',
        `0x${'00'.repeat(65)}`,
        `${signature}00`,
        signature.slice(0, -2),
        `${signature}${'6492'.repeat(16)}`,
      ].map((one) => [{ authorization, signature: one }] as const),
      [proof, { network: 'eip155:1' }],
      [proof, { asset: thief.address }],
      [await signAuthorization({ wallet: thief, to: payTo, value: 0n, from: victim.address })],
      [await signAuthorization({ wallet: victim, to: thief.address, value: 0n })],
      [await signAuthorization({ wallet: victim, to: payTo, value: 0n, chainId: 1 })],
    ]
    expect(attempts.length + elsewhere.length).toBeGreaterThan(80)
    for (const [payload, terms] of attempts) {
      expect(await send(payload, terms), JSON.stringify([payload, terms])).not.toBe(200)
    }
    expect(await send(await proofOf())).toBe(200)
    // The proof that was shown in all these forms is still good, once.
    expect(await send(proof)).toBe(200)
    expect(await send(proof)).not.toBe(200)
  })
})
