import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { contracts } from '../sandbox/addresses.ts'
import { startChain, type Chain } from '../sandbox/chain.ts'
import { replays } from '../sandbox/replay/replays.ts'
import { serveReplays, type ReplayServer } from '../sandbox/replay/server.ts'
import { operator, walletOf } from '../sandbox/wallets.ts'
import inspector from '../tools/site/contract-abi-inspector/tool.ts'
import scanner from '../tools/site/contract-safety-scanner/tool.ts'
import audit from '../tools/site/erc20-approval-audit/tool.ts'
import { runOnChain } from './harness/on-chain.ts'

let chain: Chain
let replay: ReplayServer

beforeAll(async () => {
  chain = await startChain()
  replay = await serveReplays({ replays, sites: [], now: () => new Date() })
})
afterAll(async () => {
  await replay.stop()
  await chain.stop()
})

const services = () => ({
  rpcUrl: chain.rpcUrl,
  urls: { blockscout: `${replay.url}/blockscout`, sourcify: `${replay.url}/sourcify` },
})

describe('contracts of the sandbox', () => {
  it('are inspected: a vault behind a proxy, which one account can replace', async () => {
    const { output } = await runOnChain(inspector, { address: contracts.demoProxy }, services())
    expect(output).toMatchObject({
      name: 'DemoProxy',
      verification: { isVerified: true, heldBy: 'blockscout', match: 'full' },
      proxy: {
        isUpgradeable: true,
        implementations: [{ address: contracts.demoVault.toLowerCase(), name: 'DemoVault', kind: 'eip1967' }],
        controller: { address: operator.toLowerCase(), kind: 'account' },
      },
      abi: { from: 'implementation', functions: 6, events: 2 },
    })
    expect(output.riskFlags).toContain('upgradeable_by_one_account')
  })

  it.each([
    [contracts.nativeToken, 'likely_safe', ''],
    [contracts.demoProxy, 'high_risk', 'can replace the code that runs'],
    // Nobody has initialised it, and its code can be replaced by whoever does.
    [contracts.demoClone, 'dangerous', 'Anybody can set it up'],
    [contracts.demoHoneypot, 'dangerous', 'cannot send it'],
    [walletOf('payer').address, 'not_a_contract', 'no code'],
  ])('are scanned: %s is %s', async (address, level, because) => {
    const { output } = await runOnChain(scanner, { address }, services())
    expect({ level: output.safetyLevel, risks: output.risks }).toEqual({ level, risks: output.risks })
    expect(output.risks.join('\n')).toContain(because)
  })

  it('may spend what the payer approved, directly and through Permit2', async () => {
    const { output } = await runOnChain(audit, { owner: walletOf('payer').address, includeRevoked: true }, services())
    expect(output).toMatchObject({ activeApprovals: 3, infiniteApprovals: 1, distinctTokenSpendersSeen: 4 })
    const [worst, ...others] = output.approvals.map(({ tokenSymbol, risk, via }) => [tokenSymbol, risk, via])
    expect(worst).toEqual(['USDC', 'high', undefined])
    expect(others.at(-1)).toEqual(['cbBTC', 'none', undefined])
    // Equal in risk; which of them comes first depends on whether a price is to be had.
    expect(others.slice(0, -1)).toEqual(
      expect.arrayContaining([
        ['AERO', 'medium', undefined],
        ['USDC', 'medium', 'permit2'],
      ]),
    )
  })
})
