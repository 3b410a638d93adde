import { parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'

import { contracts } from '../sandbox/addresses.ts'
import type { Anvil } from '../sandbox/anvil.ts'
import { startChain } from '../sandbox/chain.ts'
import { type PublicNode, servePublicNodes } from '../sandbox/public-nodes.ts'
import { replays, sites } from '../sandbox/replay/replays.ts'
import { serveReplays } from '../sandbox/replay/server.ts'
import { rpc } from '../sandbox/rpc.ts'
import { walletOf } from '../sandbox/wallets.ts'
import type { Tool } from '../src/tool/tool.ts'
import portfolio from '../tools/agentic/wallet-portfolio/tool.ts'
import audit from '../tools/site/erc20-approval-audit/tool.ts'
import cert from '../tools/site/agent-cert-check/tool.ts'
import inspector from '../tools/site/contract-abi-inspector/tool.ts'
import safety from '../tools/site/contract-safety-scanner/tool.ts'
import directory from '../tools/site/agent-directory/tool.ts'
import ens from '../tools/site/ens-resolver/tool.ts'
import burns from '../tools/site/native-burn-stats/tool.ts'
import stakers from '../tools/site/native-stakers-leaderboard/tool.ts'
import whales from '../tools/site/native-whale-alerts/tool.ts'
import { startLongChain } from './harness/long-chain.ts'
import { runOnChain } from './harness/on-chain.ts'
import { testSettings } from './harness/run-tool.ts'

/**
 * The tools that read the chain, as a fresh installation runs them: behind four nodes with the limits of the public
 * ones, on a chain that is longer than any of them gives at once.
 */

const head = 60_000
const storyBlocks = 45_000
const { nativeToken, stakedNative, nativePair, toolPass, registry, certificates } = contracts
const settings = {
  ...testSettings,
  native: { symbol: 'TOLL', contract: nativeToken, vault: stakedNative, pools: [nativePair] },
  toolPass,
  registry,
  certificates,
}

let chain: Anvil
let services: Awaited<ReturnType<typeof serveReplays>>
let nodes: readonly PublicNode[] = []
let ethereum: readonly PublicNode[] = []

beforeAll(async () => {
  const source = await startChain()
  try {
    const last = Number(await rpc(source.rpcUrl, 'eth_blockNumber')) + 5
    // The short chain's story spans most of a day of the long one, and lies within the audit's window however many
    // blocks the short chain took for it: it makes one block for several transactions, or one for each, as it comes.
    const apart = Math.floor(storyBlocks / last)
    chain = await startLongChain({
      sourceUrl: source.rpcUrl,
      head,
      placeOf: (block) => Math.max(block, head - 100 - (last - block) * apart),
    })
  } finally {
    await source.stop()
  }
  services = await serveReplays({ replays, sites, now: () => new Date(), port: 0 })
})
afterAll(async () => {
  await services.stop()
  await chain.stop()
})

beforeEach(async () => {
  nodes = await servePublicNodes(chain.rpcUrl)
  ethereum = await servePublicNodes(services.urls['MAINNET'] ?? '')
})
afterEach(async () => {
  await Promise.all([...nodes, ...ethereum].map((node) => node.stop()))
})

async function run<I extends z.ZodType, O extends z.ZodType>(tool: Tool<I, O>, input: z.input<I>) {
  const urls = Object.fromEntries(Object.entries(services.urls).map(([name, url]) => [name.toLowerCase(), url]))
  const options = {
    rpcUrl: chain.rpcUrl,
    nodes: nodes.map(({ url }) => url),
    mainnet: ethereum.map(({ url }) => url),
    urls,
    settings: { ...settings },
  }
  const { output } = await runOnChain(tool, input, options)
  return { output, requests: [...nodes, ...ethereum].reduce((sum, node) => sum + node.requests(), 0) }
}

describe('behind four public nodes', () => {
  it('the approval audit reads its whole window in at most forty requests', async () => {
    const { output, requests } = await run(audit, { owner: walletOf('payer').address })
    expect(requests).toBeLessThanOrEqual(40)
    expect(output.fromBlock).toBe(head - 50_000 + 1)
    expect(output.activeApprovals).toBeGreaterThanOrEqual(3)
    expect(output.summary).not.toMatch(/could be read/)
  })

  it('the approval audit says how far back it read where the window is longer', async () => {
    for (const node of nodes) await node.stop()
    // The widest of them is gone, so that fifty blocks at a time is all there is.
    nodes = (await servePublicNodes(chain.rpcUrl)).slice(1)
    const { output, requests } = await run(audit, { owner: walletOf('payer').address })
    expect(requests).toBeLessThanOrEqual(40)
    expect(output.fromBlock).toBeGreaterThan(head - 50_000 + 1)
    expect(output.summary).toMatch(/Only the newest [\d]+ of 50000 blocks could be read/)
    expect(output.evidence.scannedRanges[0]?.fromBlock).toBe(output.fromBlock)
  })

  it('the burns are listed, and from which block on', async () => {
    const { output } = await run(burns, {})
    expect(output.recentBurns?.length).toBeGreaterThan(0)
    expect(output.recentBurnsFromBlock).toBe(0)
  })

  it('the whales are seen in a window that says what was read', async () => {
    const { output } = await run(whales, {})
    expect(output.window).toEqual({ fromBlock: head - 4_999, toBlock: head, blocks: 5_000 })
    const wider = await run(whales, { lookbackBlocks: 10_000 })
    expect(wider.output.window.blocks).toBe(10_000)
    expect(wider.output.events.length).toBeGreaterThan(0)
  })

  it('the stakers are all there', async () => {
    const { output } = await run(stakers, {})
    expect(output.totalStakers).toBeGreaterThan(0)
    expect(parseUnits(output.totalSupply, 18)).toBe(BigInt(output.totalSupplyRaw))
  })

  const payer = walletOf('payer').address
  it.each<readonly [string, () => Promise<{ readonly output: unknown; readonly requests: number }>]>([
    ['ens-resolver', () => run(ens, { items: ['vitalik.eth', payer, 'nobody.tollgate-demo.eth'] })],
    ['wallet-portfolio', () => run(portfolio, { address: payer })],
    ['agent-cert-check', () => run(cert, { address: payer })],
    ['contract-abi-inspector', () => run(inspector, { address: contracts.demoProxy })],
    ['contract-safety-scanner', () => run(safety, { address: contracts.demoVault })],
    ['agent-directory', () => run(directory, {})],
  ])('%s answers', async (_slug, answer) => {
    const { output, requests } = await answer()
    expect(output).toBeTypeOf('object')
    expect(requests).toBeGreaterThan(0)
    expect(requests).toBeLessThanOrEqual(40)
  })
})
