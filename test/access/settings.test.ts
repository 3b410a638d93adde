import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { rpc } from '../../sandbox/rpc.ts'
import { walletOf } from '../../sandbox/wallets.ts'
import { siwe, unknownWallets } from './credentials.ts'
import { type AccessServer, startAccessServer } from './access-server.ts'

const holder = walletOf('holder')
const stranger = walletOf('stranger')

/** Where delegate.xyz is on every chain. */
const delegateRegistry = '0x00000000000000447e69651d841bD8D104Bed493'

let server: AccessServer
beforeAll(async () => {
  server = await startAccessServer({ TOLLGATE_SIWE_SINGLE_USE: '1', TOLLGATE_DELEGATES: '1' })
})
afterAll(() => server.stop())

/** Puts a contract there that answers every question with the number. */
async function delegatesAnswer(number: 0 | 1): Promise<void> {
  await rpc(server.sandbox.chain.rpcUrl, 'anvil_setCode', delegateRegistry, `0x600${number}60005260206000f3`)
}

describe('a server that takes a sign-in message once only', () => {
  it('refuses it the second time, on every tool', async () => {
    const headers = { authorization: await siwe(holder, server.url) }
    expect((await server.call('pass', 'POST', { headers })).status).toBe(200)
    expect((await server.call('pass', 'POST', { headers })).status).toBe(401)
    expect((await server.call('paid-or-pass', 'MCP', { headers })).status).toBe(401)
  })

  it('takes a message of the same wallet with another nonce', async () => {
    for (let round = 0; round < 2; round += 1) {
      const headers = { authorization: await siwe(holder, server.url) }
      expect((await server.call('pass', 'GET', { headers })).status).toBe(200)
    }
  })
})

describe('a caller who is told to try again because the chain is silent', () => {
  it.each(['SIWE of a wallet nobody asked about', 'a zero-value proof of a wallet nobody asked about'] as const)(
    'may do so with the same proof, once: %s',
    async (name) => {
      const sent = await unknownWallets[name]({ url: server.url, way: 'POST', before: async () => undefined })
      server.rpc.set('down')
      expect((await server.call('pass', 'POST', sent)).status).toBe(503)
      server.rpc.set('none')
      // The wallet has no pass; a proof that was used up would be 401.
      expect((await server.call('pass', 'POST', sent)).status).toBe(403)
      expect((await server.call('pass', 'POST', sent)).status).toBe(401)
    },
  )
})

describe('a server that honours delegations', () => {
  const asDelegate = async (vault: string) => ({
    headers: { authorization: await siwe(stranger, server.url), 'x-delegate-for': vault },
  })

  it('lets a delegate in with the pass of its vault', async () => {
    await delegatesAnswer(1)
    const { status, body } = await server.call('pass', 'POST', await asDelegate(holder.address))
    expect({ status, ...body }).toEqual({ status: 200, entry: 'pass', passHolder: holder.address.toLowerCase() })
  })

  it('lets nobody in whom the vault did not name', async () => {
    await delegatesAnswer(0)
    expect((await server.call('pass', 'POST', await asDelegate(holder.address))).status).toBe(403)
    expect((await server.call('pass', 'POST', await asDelegate('holder'))).status).toBe(400)
  })

  it('says that it cannot tell where there is no registry of delegations', async () => {
    await rpc(server.sandbox.chain.rpcUrl, 'anvil_setCode', delegateRegistry, '0x')
    expect((await server.call('pass', 'POST', await asDelegate(holder.address))).status).toBe(503)
  })
})
