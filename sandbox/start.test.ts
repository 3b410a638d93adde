import { createPublicClient, http } from 'viem'
import { mainnet } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { parseConfig } from '../src/platform/config.ts'
import { isLoopbackHost } from '../src/platform/loopback.ts'
import { rpc } from './rpc.ts'
import { startSandbox, type Sandbox } from './start.ts'

let sandbox: Sandbox

beforeAll(async () => {
  const started = performance.now()
  sandbox = await startSandbox()
  console.error(`The sandbox was ready after ${Math.round(performance.now() - started)} ms.`)
})

afterAll(() => sandbox.stop())

describe('the sandbox', () => {
  it('gives a configuration that the server takes, and that names nothing beyond this machine', () => {
    const config = parseConfig(sandbox.env)
    expect(config).toMatchObject({ sandbox: true, network: 'eip155:8453', payTo: sandbox.payTo })
    const urls = [
      ...Object.values(config.upstreamUrls),
      ...config.mainnetRpcUrls,
      ...config.facilitators.flatMap((one) => (one.kind === 'hosted' ? [one.url] : [])),
    ]
    expect(urls.length).toBeGreaterThan(6)
    expect(urls.every((url) => isLoopbackHost(new URL(url).hostname))).toBe(true)
  })

  it('knows the names of its wallets on its sliver of Ethereum', async () => {
    const client = createPublicClient({ chain: mainnet, transport: http(sandbox.env['TOLLGATE_MAINNET_RPC_URLS']) })
    const { address } = sandbox.wallets.payer
    expect(await client.getChainId()).toBe(1)
    expect(await client.getEnsAddress({ name: 'payer.tollgate-demo.eth' })).toBe(address)
    expect(await client.getEnsName({ address })).toBe('payer.tollgate-demo.eth')
    expect(await client.getEnsAddress({ name: 'nobody.tollgate-demo.eth' })).toBeNull()
    expect(await client.getEnsName({ address: sandbox.wallets.stranger.address })).toBeNull()
  })

  it('runs a second time beside itself, on a chain id for suites that refuse real ones, and stops alone', async () => {
    const other = await startSandbox({ chainId: 31_337 })
    expect(other.env['TOLLGATE_NETWORK']).toBe('eip155:31337')
    expect(await rpc(other.chain.rpcUrl, 'eth_chainId')).toBe('0x7a69')
    const supported = await fetch(`${other.facilitatorUrl}/supported`)
    expect(await supported.json()).toMatchObject({ kinds: [{ network: 'eip155:31337' }] })
    await other.stop()
    await expect(rpc(other.chain.rpcUrl, 'eth_chainId')).rejects.toThrow()
    await expect(fetch(`${other.facilitatorUrl}/supported`)).rejects.toThrow()
    expect(await rpc(sandbox.chain.rpcUrl, 'eth_chainId')).toBe('0x2105')
  })
})
