import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { createPublicClient, http, keccak256, parseAbi, stringToBytes, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { contracts } from '../../sandbox/addresses.ts'
import { signAuthorization, usdcBalance } from '../../sandbox/sign.ts'
import { operator } from '../../sandbox/wallets.ts'
import type { catalogOf } from '../../src/describe/catalog.ts'
import { type SandboxProcess, startSandboxProcess, type Wallet } from '../harness/sandbox-process.ts'
import { siweOf } from '../harness/sign-in.ts'
import { examineListing } from '../../transports/cli/doctor/listing.ts'

type Catalog = ReturnType<typeof catalogOf>

let sandbox: SandboxProcess
let catalog: Catalog
beforeAll(async () => {
  sandbox = await startSandboxProcess()
  catalog = (await (await fetch(`${sandbox.baseUrl}/api/tools`)).json()) as Catalog
})
afterAll(() => sandbox.stop())

const endpoint = (): string => `${sandbox.baseUrl}/api/tools/agent-directory`

/** The header that a holder of the pass shows. */
async function signIn(wallet: Wallet): Promise<Record<string, string>> {
  return { authorization: await siweOf(wallet, sandbox.baseUrl) }
}

/** The header that proves a wallet by a payment of nothing, as version 1 clients send it. */
async function payNothing(wallet: Wallet): Promise<Record<string, string>> {
  const payload = await signAuthorization({ wallet, to: sandbox.payTo as Hex, value: 0n })
  const proof = { x402Version: 1, scheme: 'exact', network: 'base', payload }
  return { 'x-payment': Buffer.from(JSON.stringify(proof)).toString('base64') }
}

function post(body: unknown, headers: Record<string, string> = {}, url = endpoint()): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

type Directory = {
  readonly totalRegistered: number
  readonly tools: readonly {
    readonly slug: string
    readonly creator: string
    readonly verification: Readonly<Record<string, unknown>>
  }[]
}

describe('the documents of the sandbox', () => {
  it('list every offered tool with the id it has on the chain, and its manifest with the hash it has there', async () => {
    expect(catalog.count).toBe(catalog.tools.length)
    expect(catalog.summary.onChain).toBe(catalog.count)
    expect(catalog.count).toBeGreaterThan(0)
    const client = createPublicClient({ transport: http(sandbox.chain.rpcUrl) })
    for (const { slug, manifest, onChain } of catalog.tools) {
      const text = await (await fetch(manifest)).text()
      expect(catalog.toolsByOnChainId[String(onChain.toolId)]?.slug).toBe(slug)
      const config = await client.readContract({
        address: contracts.registry,
        abi: parseAbi([
          'struct ToolConfig { address creator; string metadataURI; bytes32 manifestHash; address accessPredicate; }',
          'function getToolConfig(uint256 toolId) view returns (ToolConfig)',
        ]),
        functionName: 'getToolConfig',
        args: [BigInt(onChain.toolId ?? 0)],
      })
      expect(config).toMatchObject({
        creator: operator,
        metadataURI: manifest,
        manifestHash: keccak256(stringToBytes(text)),
      })
      expect(JSON.parse(text)).toMatchObject({ endpoint: `${sandbox.baseUrl}/api/tools/${slug}` })
    }
  })

  it('are the same bytes until something changes, and cost nothing the second time', async () => {
    const first = await fetch(`${sandbox.baseUrl}/api/tools`)
    const etag = first.headers.get('etag') ?? ''
    await first.arrayBuffer()
    // Compressed or not, the tag is the same, so it must not claim the same bytes.
    expect(etag).toMatch(/^W\/"/)
    const second = await fetch(`${sandbox.baseUrl}/api/tools`, { headers: { 'if-none-match': etag } })
    expect([first.status, second.status, await second.text()]).toEqual([200, 304, ''])
  })

  it('are JSON for programs and a page for browsers at the catalog’s own address', async () => {
    const program = await fetch(`${sandbox.baseUrl}/tools`)
    expect(await program.json()).toEqual(catalog)
    const browser = await fetch(`${sandbox.baseUrl}/tools`, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*' },
    })
    expect(browser.headers.get('content-type')).toContain('text/html')
    expect(browser.headers.get('vary')).toContain('Accept')
    expect(browser.headers.get('etag')).not.toBe(program.headers.get('etag'))
    expect(await browser.text()).toContain('Agent Directory')
  })

  it('are all where the catalog says they are', async () => {
    const { x402EcosystemListing, catalog: page } = catalog.firstUse
    for (const url of [catalog.spec, x402EcosystemListing, page]) expect((await fetch(url)).status).toBe(200)
    const listing = (await (await fetch(x402EcosystemListing)).json()) as { readonly resources: readonly unknown[] }
    expect(listing.resources).toContainEqual(expect.objectContaining({ resource: endpoint(), amount: '20000' }))
    const openapi = (await (await fetch(`${sandbox.baseUrl}/openapi.json`)).json()) as { readonly paths: object }
    expect(Object.keys(openapi.paths)).toEqual(
      expect.arrayContaining(catalog.tools.map(({ slug }) => `/api/tools/${slug}`)),
    )
    expect(await (await fetch(`${sandbox.baseUrl}/llms.txt`)).text()).toContain('## Site tools')
  })
})

describe('who may call a tool that is paid for or opened by the pass', () => {
  it('the holder, free, by a signed message or by a payment of nothing, with GET and POST', async () => {
    const { holder } = sandbox.wallets
    const before = await usdcBalance(sandbox.chain.rpcUrl, holder.address)
    const answers = [
      await post({ limit: 1 }, await signIn(holder)),
      await post({ limit: 1 }, await payNothing(holder)),
      await fetch(`${endpoint()}?limit=1`, { headers: await signIn(holder) }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(answer.headers.get('payment-response')).toBeNull()
    }
    expect(await usdcBalance(sandbox.chain.rpcUrl, holder.address)).toBe(before)
  })

  it('the holder, every tool that the pass opens', async () => {
    const capable = catalog.tools.filter(({ access }) => access.toolPass !== null)
    expect(capable).toHaveLength(catalog.summary.toolPassEligible)
    for (const { endpoint: url, call } of capable) {
      const answer = await post(call.example, await signIn(sandbox.wallets.holder), url)
      // What a tool then makes of its example is its own test's business; money was never asked for.
      expect([401, 402, 403]).not.toContain(answer.status)
      expect(answer.headers.get('payment-response')).toBeNull()
    }
  })

  it('the payer, for exactly the price, once', async () => {
    const { payer } = sandbox.wallets
    const pay = wrapFetchWithPaymentFromConfig(fetch, {
      schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(payer.privateKey)) }],
    })
    const before = await usdcBalance(sandbox.chain.rpcUrl, payer.address)
    const answer = await pay(endpoint(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ limit: 2 }),
    })
    expect(answer.status).toBe(200)
    const receipt = decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '')
    expect(receipt).toMatchObject({ success: true, network: 'eip155:8453' })
    expect(before - (await usdcBalance(sandbox.chain.rpcUrl, payer.address))).toBe(20_000n)
  })

  it('not the stranger: without anything, with a proved wallet, or with a forged header', async () => {
    const { stranger, holder } = sandbox.wallets
    const answers = [
      await post({}),
      await post({ limit: 1 }),
      await post({ limit: 1 }, await signIn(stranger)),
      await post({ limit: 1 }, await payNothing(stranger)),
      await post({ limit: 1 }, { 'x-pass-holder': holder.address }),
      await fetch(endpoint()),
    ]
    expect(answers.map(({ status }) => status)).toEqual([402, 402, 402, 402, 402, 402])
  })
})

describe('the agent directory about ourselves', () => {
  it('finds every tool of ours unchanged on chain, and says that plain http keeps it from vouching', async () => {
    const answer = await post(
      { origin: sandbox.baseUrl, limit: 50, includeManifest: true },
      await signIn(sandbox.wallets.holder),
    )
    const { tools } = (await answer.json()) as Directory
    expect(tools.map(({ slug }) => slug).toSorted()).toEqual(catalog.tools.map(({ slug }) => slug).toSorted())
    for (const { creator, verification } of tools) {
      expect(creator).toBe(operator.toLowerCase())
      expect(verification).toMatchObject({
        verified: false,
        reason: 'not_https',
        hashMatchesOnChain: true,
        creatorMatches: true,
        originMatches: true,
      })
    }
  })
})

it('has nothing that would keep this server out of a directory, as `doctor --listing` replays them', async () => {
  const findings = await examineListing(sandbox.baseUrl)
  expect(findings.filter(({ status }) => status === 'fail')).toEqual([])
  // What a sandbox cannot have: https, a claim, a maintainer.
  expect(findings.filter(({ status }) => status === 'ok').map(({ check }) => check)).toEqual(
    expect.arrayContaining(['mppx validate', 'MCP Registry', 'Smithery']),
  )
})
