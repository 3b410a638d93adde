import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { privateKeyToAccount } from 'viem/accounts'

import type { Wallet } from '../../sandbox/wallets.ts'
import { draftSiwe } from '../../src/access/siwe-draft.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { openSqliteBooks } from '../../src/store/open-books.ts'
import { maxHeaderBlockBytes } from '../../src/payments/x402/required.ts'
import { setPaused } from '../../src/server/pause.ts'
import { type Accepts, decode, freshKey, freshWallet, pay, siweOf } from './payer.ts'
import { type Answer, callMcp, callTool, payTo, richWallet, startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

type Json = Record<string, unknown>
type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly body: Json & { error?: { code: string; charged: unknown; message: string; details?: Json } }
}

const balancePath = '/api/agentic/balance'

async function ask(method: string, path: string, headers: Record<string, string> = {}, body?: unknown): Promise<Reply> {
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Reply['body'] }
}

/** A sign-in that names the balance. */
async function spendingSiwe(wallet: Wallet, uri = `${server.url}${balancePath}`): Promise<string> {
  const message = draftSiwe({
    origin: server.url,
    address: wallet.address,
    uri,
    chainId: 8453,
    statement: 'Let calls be drawn from my prepaid balance and my credits.',
    nonce: freshKey().replaceAll('-', ''),
    now: server.clock.now(),
  })
  const signature = await privateKeyToAccount(wallet.privateKey).signMessage({ message })
  return `SIWE ${Buffer.from(message, 'utf8').toString('base64url')}.${signature}`
}

async function topUp(
  wallet: Wallet,
  usd = '1',
  headers: Record<string, string> = {},
): Promise<Reply & { token: string; header: string }> {
  const terms = await ask('POST', balancePath, {}, { usd })
  expect(terms.status, JSON.stringify(terms.body)).toBe(402)
  const accepts = (terms.body['accepts'] as readonly Accepts[])[0]
  if (accepts === undefined) throw new Error('No terms.')
  const { header } = await pay(wallet, accepts, { validBefore: BigInt(Math.floor(server.clock.now() / 1_000) + 60) })
  const paid = await ask('POST', balancePath, { 'payment-signature': header, ...headers }, { usd })
  return { ...paid, header, token: String((paid.body['session'] as Json | undefined)?.['token']) }
}

async function paidUp(usd = '1'): Promise<{ wallet: Wallet; bearer: Record<string, string> }> {
  const wallet = richWallet(server)
  const { token, status } = await topUp(wallet, usd)
  expect(status).toBe(200)
  return { wallet, bearer: { authorization: `Bearer ${token}` } }
}

const balanceOf = async (bearer: Record<string, string>): Promise<Json> => {
  const { body } = await ask('GET', balancePath, bearer)
  const usd = (name: string): unknown => (body[name] as Json | undefined)?.['usd']
  return { balance: usd('balance'), credit: usd('credit'), reserved: usd('reserved'), taken: usd('taken') }
}
const receiptOf = (answer: Answer): Json => decode(answer.headers.get('payment-response'))
const call = (text: string, headers: Record<string, string>, slug = 'probe') =>
  callTool(server.url, slug, { text }, headers)

async function expectBooksInOrder(): Promise<void> {
  const books = await openSqliteBooks(`${server.folder}/ledger.db`)
  expect(await books?.accountFaults()).toEqual([])
  await books?.close()
}

describe('a balance', () => {
  it('is paid for once, shown to its owner, and drawn from by many calls with one settlement', async () => {
    const wallet = richWallet(server)
    const before = server.chain.transfersTo(payTo).length
    const { status, body, headers, token } = await topUp(wallet, '0.50')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      topUp: { usd: '0.50' },
      payer: wallet.address.toLowerCase(),
      balance: { usd: '0.50', atomic: '500000' },
    })
    expect(decode(headers.get('payment-response'))).toMatchObject({ success: true, amount: '500000' })
    const bearer = { authorization: `Bearer ${token}` }
    for (let index = 0; index < 5; index += 1) {
      const answer = await call(`draw ${index}`, bearer)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('tollgate-balance')).toBe((0.5 - 0.01 * (index + 1)).toFixed(2))
      expect(receiptOf(answer)).toMatchObject({
        success: true,
        transaction: '',
        amount: '0',
        extensions: { tollgate: { paidWith: 'prepaid', drawn: '10000' } },
      })
    }
    expect(await balanceOf(bearer)).toEqual({ balance: '0.45', credit: '0.00', reserved: '0.00', taken: '0.05' })
    expect(server.chain.transfersTo(payTo).length - before).toBe(1)
    await expectBooksInOrder()
  })

  it('is drawn from by a sign-in that names it, and by none that does not', async () => {
    const { wallet, bearer } = await paidUp()
    expect((await call('signed in', { authorization: await spendingSiwe(wallet) })).status).toBe(200)
    expect(
      (await call('elsewhere', { authorization: await siweOf(wallet, server.url, { now: server.clock.now() }) }))
        .status,
    ).toBe(402)
    const session = await ask('POST', `${balancePath}/session`, { authorization: await spendingSiwe(wallet) })
    expect(session.status).toBe(200)
    expect((await call('by session', { authorization: `Bearer ${String(session.body['token'])}` })).status).toBe(200)
    expect(await balanceOf(bearer)).toMatchObject({ balance: '0.98', taken: '0.02' })
    const { headers: over } = await ask('GET', balancePath)
    expect(over.get('www-authenticate')).toContain(balancePath)
  })

  it('is closed to every token given out so far once its wallet ends them, and open to the next one', async () => {
    const { wallet, bearer } = await paidUp()
    const sessions = `${balancePath}/session`
    const opened = await ask('POST', sessions, { authorization: await spendingSiwe(wallet) })
    const other = { authorization: `Bearer ${String(opened.body['token'])}` }
    expect((await call('before', other)).status).toBe(200)
    expect((await ask('DELETE', sessions)).status).toBe(401)
    expect((await ask('DELETE', sessions, bearer)).body).toEqual({ payer: wallet.address.toLowerCase(), ended: true })
    for (const token of [bearer, other]) {
      const answer = await call('after', token)
      expect(answer.status).toBe(401)
      expect(answer.body.error).toMatchObject({ code: 'proof_rejected', charged: false })
      expect((await ask('GET', balancePath, token)).status).toBe(401)
      expect((await ask('DELETE', sessions, token)).status).toBe(401)
    }
    // In the same second by the server's clock: a token that comes after the end is none of those before.
    const next = await ask('POST', sessions, { authorization: await spendingSiwe(wallet) })
    const fresh = { authorization: `Bearer ${String(next.body['token'])}` }
    expect((await call('after', fresh)).status).toBe(200)
    const signedOff = await ask('DELETE', sessions, { authorization: await spendingSiwe(wallet) })
    expect(signedOff.status).toBe(200)
    expect((await call('over', fresh)).status).toBe(401)
    const last = await ask('POST', sessions, { authorization: await spendingSiwe(wallet) })
    expect(await balanceOf({ authorization: `Bearer ${String(last.body['token'])}` })).toMatchObject({
      balance: '0.98',
      taken: '0.02',
    })
  })

  it('is spent over MCP as well, with the token in _meta', async () => {
    const { bearer } = await paidUp()
    const token = bearer['authorization']?.slice('Bearer '.length)
    const { isError, result } = await callMcp(server.url, 'probe', { text: 'over MCP' }, { 'tollgate/session': token })
    expect(isError).toBe(false)
    expect(result['_meta']).toMatchObject({
      'tollgate/balance': '0.99',
      'x402/payment-response': { amount: '0', transaction: '' },
    })
    const changed = await callMcp(server.url, 'probe', { text: 'a' }, { 'tollgate/session': `${token}x` })
    expect(changed.text).toContain('proof_rejected')
    expect(await balanceOf(bearer)).toMatchObject({ balance: '0.99' })
  })

  it('is one balance for two nodes of a ledger, however many calls come to both at once', async () => {
    const { clock, chain } = server
    const ledger = await openSqliteStore(':memory:')
    const store = { ...ledger, close: async () => {} }
    const nodes = [await startTestServer({ clock, chain, store }), await startTestServer({ clock, chain, store })]
    const first = server
    try {
      // What follows is asked of the first node, and its token is good at the other.
      server = nodes[0] ?? server
      const { bearer } = await paidUp('0.50')
      const at = (index: number, text: string, headers: Record<string, string>) =>
        callTool(nodes[index % 2]?.url ?? '', 'probe', { text }, headers)
      const answers = await Promise.all(Array.from({ length: 80 }, (_, index) => at(index, `rush ${index}`, bearer)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
      expect(answers.filter(({ status }) => status === 402)).toHaveLength(30)
      expect(await balanceOf(bearer)).toMatchObject({ balance: '0.00', reserved: '0.00', taken: '0.50' })

      const { bearer: other } = await paidUp('0.50')
      const key = { ...other, 'idempotency-key': freshKey() }
      const same = await Promise.all(Array.from({ length: 8 }, (_, index) => at(index, 'same', key)))
      expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(same[0]?.status).toBe(200)
      expect(await balanceOf(other)).toMatchObject({ balance: '0.49', taken: '0.01' })
      expect((await ask('DELETE', `${balancePath}/session`, other)).status).toBe(200)
      expect((await at(1, 'after the end', other)).status).toBe(401)
    } finally {
      server = first
      await Promise.all(nodes.map((node) => node.stop()))
      await ledger.close()
    }
  })

  it('gives the money back where the tool fails, says nothing for it, or cannot be understood', async () => {
    const { bearer } = await paidUp()
    for (const text of ['missing', 'broken', 'misfit']) {
      const answer = await call(text, bearer)
      expect(answer.status, text).toBeGreaterThanOrEqual(400)
      expect(answer.body.error?.charged).toBe(false)
    }
    expect((await callTool(server.url, 'probe', { wrong: 1 }, bearer)).status).toBe(400)
    expect(await balanceOf(bearer)).toMatchObject({ balance: '1.00', reserved: '0.00', taken: '0.00' })
  })

  it('gives a lost answer again by its key, at its address, and takes for it once', async () => {
    const { wallet, bearer } = await paidUp()
    const headers = { ...bearer, 'idempotency-key': freshKey() }
    const runs = server.probes.runs()
    const together = await Promise.all(Array.from({ length: 5 }, () => call('once', headers)))
    expect(together.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(together.map(({ text }) => text)).size).toBe(1)
    const again = await call('once', headers)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text).toBe(together[0]?.text)
    expect(server.probes.runs() - runs).toBe(1)
    expect((await call('another', headers)).body.error?.code).toBe('idempotency_conflict')
    const { drawUrl } = (receiptOf(again)['extensions'] as { tollgate: { drawUrl: string } }).tollgate
    const shown = await ask('GET', new URL(drawUrl).pathname, bearer)
    expect(shown.body).toMatchObject({ state: 'taken', charged: true, result: { text: 'once' } })
    const stranger = await ask('GET', new URL(drawUrl).pathname, {
      authorization: await spendingSiwe(richWallet(server)),
    })
    expect(stranger.status).toBe(404)
    expect(await balanceOf(bearer)).toMatchObject({ balance: '0.99', taken: '0.01' })
    expect(wallet.address).toBeDefined()
  })

  it('is drawn from by each of two equal calls without a key, and the answer of either can be fetched and is taken for once', async () => {
    const { bearer } = await paidUp()
    const answers = [await call('twice', bearer), await call('twice', bearer)]
    const urls = answers.map(
      (one) => (receiptOf(one)['extensions'] as { tollgate: { drawUrl: string } }).tollgate.drawUrl,
    )
    expect(new Set(urls).size).toBe(2)
    // Whoever lost both finds them in the list.
    const shown = await ask('GET', balancePath, bearer)
    for (const url of urls) {
      expect(JSON.stringify(shown.body)).toContain(url)
      expect((await ask('GET', new URL(url).pathname, bearer)).body).toMatchObject({ state: 'taken', charged: true })
    }
    expect(await balanceOf(bearer)).toMatchObject({ balance: '0.98', taken: '0.02' })
  })

  it('is topped up once by the same payment and key, however often it is sent', async () => {
    const wallet = richWallet(server)
    const key = { 'idempotency-key': freshKey() }
    const first = await topUp(wallet, '1', key)
    const again = await ask('POST', balancePath, { 'payment-signature': first.header, ...key }, { usd: '1.00' })
    expect(again.status).toBe(200)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toMatchObject({ balance: { usd: '1.00' } })
    const keyless = await ask('POST', balancePath, { 'payment-signature': first.header }, { usd: '1' })
    expect(keyless.body.error?.code).toBe('payment_used')
    expect(keyless.body['session']).toBeUndefined()
  })

  it('that is too small is told with both ways on, within the headers that proxies take', async () => {
    const { wallet, bearer } = await paidUp('0.50')
    for (let index = 0; index < 5; index += 1)
      expect((await call(`dear ${index}`, bearer, 'probe-dear')).status).toBe(200)
    const answer = await call('one more', bearer, 'probe-dear')
    expect(answer.status).toBe(402)
    expect(answer.body['error']).toContain(`The balance of ${wallet.address.toLowerCase()} is $0.00`)
    expect(answer.body['error']).toContain('$0.10')
    expect(answer.body['error']).toContain(`${server.url}${balancePath}`)
    expect((answer.body['accepts'] as readonly Json[])[0]).toMatchObject({ amount: '100000' })
    const bytes = [...answer.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
    expect(bytes).toBeLessThan(maxHeaderBlockBytes)
    const { text } = await callMcp(
      server.url,
      'probe-dear',
      { text: 'x' },
      { 'tollgate/session': bearer['authorization']?.slice(7) },
    )
    expect(text).toContain('The balance of')
    expect(await balanceOf(bearer)).toMatchObject({ balance: '0.00', taken: '0.50' })
  })

  it('that is too small for now is said to be so while a top-up is under way, and no longer than that may land', async () => {
    const { wallet, bearer } = await paidUp('0.50')
    for (let index = 0; index < 5; index += 1)
      expect((await call(`spent ${index}`, bearer, 'probe-dear')).status).toBe(200)
    const tooSmall = async (): Promise<number> => (await call('later', bearer, 'probe-dear')).status
    expect(await tooSmall()).toBe(402)

    server.facilitator.script('settle', ['status-500'])
    server.facilitator.choose('settle', () => 'down')
    const more = await topUp(wallet)
    expect(more.status).toBe(503)
    const held = await call('later', bearer, 'probe-dear')
    expect(held.status).toBe(503)
    expect(held.headers.get('retry-after')).toBe('2')
    expect(held.headers.get('payment-required')).toBeNull()
    expect(held.body.error).toMatchObject({ code: 'settlement_pending', charged: false, retryable: true })
    // A payment that is sent with the call counts as ever.
    const alone = await pay(wallet, await server.acceptsOf('probe-dear'))
    server.facilitator.choose('settle', () => 'none')
    expect((await call('alone', { ...bearer, 'payment-signature': alone.header }, 'probe-dear')).status).toBe(200)
    // It lands, and the call is drawn from it.
    await server.settleAll()
    expect(await tooSmall()).toBe(200)
  })

  it('is no longer waited for when the top-up can land no more, though no node of the chain says so', async () => {
    const { wallet, bearer } = await paidUp('0.50')
    for (let index = 0; index < 5; index += 1)
      expect((await call(`gone ${index}`, bearer, 'probe-dear')).status).toBe(200)
    server.facilitator.choose('settle', () => 'down')
    expect((await topUp(wallet)).status).toBe(503)
    server.rpc.set('error')
    try {
      const ask = async (): Promise<number> => (await call('waited', bearer, 'probe-dear')).status
      expect(await ask()).toBe(503)
      server.clock.advance(125_000)
      expect(await ask()).toBe(402)
    } finally {
      server.rpc.set('none')
      server.facilitator.choose('settle', () => 'none')
      await server.settleAll()
    }
  })

  it('many calls at once on one balance never take more than there is', async () => {
    const { bearer } = await paidUp('0.50')
    const answers = await Promise.all(Array.from({ length: 80 }, (_, index) => call(`rush ${index}`, bearer)))
    const count = (status: number): number => answers.filter((one) => one.status === status).length
    expect(count(200)).toBe(50)
    expect(count(402)).toBe(30)
    expect(await balanceOf(bearer)).toMatchObject({ balance: '0.00', reserved: '0.00', taken: '0.50' })
    await expectBooksInOrder()
  })
})

describe('what is wrong with it costs nothing', () => {
  it.each([['0.49'], ['5.01'], ['0'], ['-1'], ['1e1'], ['0.5000001'], ['999999999'], [''], [1], [null], [['1']]])(
    'an amount of %j is refused before any terms',
    async (usd) => {
      const answer = await ask('POST', balancePath, {}, { usd })
      expect(answer.status).toBe(400)
      expect(answer.body.error).toMatchObject({ code: 'invalid_input', charged: false })
    },
  )

  it('a payment of another amount, or in another token, is not taken', async () => {
    const wallet = richWallet(server)
    const terms = await ask('POST', balancePath, {}, { usd: '2' })
    const accepts = (terms.body['accepts'] as readonly Accepts[])[0]
    if (accepts === undefined) throw new Error('No terms.')
    const small = await pay(wallet, { ...accepts, amount: '500000' })
    const token = await pay(wallet, { ...accepts, asset: '0x2222222222222222222222222222222222222222' })
    for (const { header } of [small, token]) {
      const answer = await ask('POST', balancePath, { 'payment-signature': header }, { usd: '2' })
      expect(answer.status).toBe(402)
      expect(decode(answer.headers.get('payment-response'))).toMatchObject({ success: false })
    }
    expect(server.chain.transfersTo(payTo).every(({ from }) => from !== wallet.address.toLowerCase())).toBe(true)
  })

  it('a token that is changed, a stranger’s or over opens nothing', async () => {
    const { bearer } = await paidUp()
    const token = bearer['authorization']?.slice('Bearer '.length) ?? ''
    const other = freshWallet().address.slice(2).toLowerCase()
    const tries = [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      token.replace(/^tgs_[0-9a-f]{40}/, `tgs_${other}`),
      'tgs_',
      'tgs_x_y_z',
      token.replace(/_[0-9a-z]+_/, '_zzzzzz_'),
    ]
    for (const wrong of tries) {
      const answer = await call('stolen', { authorization: `Bearer ${wrong}` })
      expect(answer.status).toBe(401)
      expect(answer.body.error).toMatchObject({ code: 'proof_rejected', charged: false })
      expect((await ask('GET', balancePath, { authorization: `Bearer ${wrong}` })).status).toBe(401)
    }
    // Tokens of other makers are the business of a proxy in front: such a call is one without credential.
    expect((await call('foreign', { authorization: 'Bearer eyJhbGciOi' })).status).toBe(402)
    expect(await balanceOf(bearer)).toMatchObject({ balance: '1.00', taken: '0.00' })
    server.clock.advance(13 * 3_600_000)
    expect((await call('late', bearer)).text).toContain('expired')
  })

  it('a paused server draws nothing and takes no top-up, and gives out what was drawn before', async () => {
    const { bearer } = await paidUp()
    const headers = { ...bearer, 'idempotency-key': freshKey() }
    const before = await call('before', headers)
    await setPaused(server.folder, true)
    server.clock.advance(1_000)
    try {
      const refused = await call('paused', bearer)
      expect(refused.status).toBe(503)
      expect(refused.body.error).toMatchObject({ code: 'facilitator_unavailable', charged: false })
      expect((await ask('POST', balancePath, {}, { usd: '1' })).status).toBe(503)
      expect((await call('before', headers)).text).toBe(before.text)
      expect(await balanceOf(bearer)).toMatchObject({ balance: '0.99', taken: '0.01' })
    } finally {
      await setPaused(server.folder, false)
      server.clock.advance(1_000)
    }
    expect((await call('resumed', bearer)).status).toBe(200)
  })

  it('methods that an address does not have are refused', async () => {
    expect((await ask('PUT', balancePath)).status).toBe(405)
    expect((await ask('GET', `${balancePath}/session`)).status).toBe(405)
    expect((await ask('GET', `${balancePath}/draws/abc`)).status).toBe(401)
  })
})

describe('a top-up whose money', () => {
  it('never arrives is not there to be drawn, though the facilitator swears', async () => {
    server.facilitator.choose('settle', () => 'lie-success')
    const wallet = richWallet(server)
    const { status, body } = await topUp(wallet, '1')
    expect(status).toBe(503)
    expect(body.error?.charged).toBe('unknown')
    const unearned = await call('unearned', { authorization: await spendingSiwe(wallet) })
    expect(unearned.status).toBe(503)
    expect(unearned.body.error).toMatchObject({ code: 'settlement_pending', charged: false })
    server.facilitator.choose('settle', () => 'none')
    await server.settleAll()
    await expectBooksInOrder()
  })

  it('arrives after its connection broke is there once it is found', async () => {
    server.facilitator.choose('settle', () => 'drop-after-broadcast')
    const wallet = richWallet(server)
    await topUp(wallet, '1')
    server.facilitator.choose('settle', () => 'none')
    await server.settleAll()
    const answer = await call('found', { authorization: await spendingSiwe(wallet) })
    expect(answer.status).toBe(200)
    await expectBooksInOrder()
  })
})
