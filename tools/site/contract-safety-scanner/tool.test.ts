import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openZoo, type Zoo } from '../../../test/harness/contract-zoo.ts'
import { runOnChain } from '../../../test/harness/on-chain.ts'
import { type Exchange, runTool } from '../../../test/harness/run-tool.ts'
import fixture from './fixtures/00-wrapped-ether.json' with { type: 'json' }
import tool from './tool.ts'

const example = tool.examples[0]
const address = example?.input.address ?? ''
const [source, profile] = fixture.exchanges as unknown as readonly [Exchange, Exchange]

function runWith(exchanges: readonly Exchange[], rpc: readonly unknown[] = fixture.rpc) {
  return runTool(tool, { address }, { ...fixture, exchanges, rpc: rpc as never })
}

describe('contract-safety-scanner', () => {
  it('answers its example', async () => {
    const { output } = await runWith([source, profile])
    expect(output).toEqual(example?.output)
  })

  it.each([
    ['a scam', { is_scam: true, reputation: 'ok' }],
    ['of bad reputation', { is_scam: false, reputation: 'spam' }],
  ])('takes the explorer’s word for a contract that is %s', async (_name, said) => {
    const { output } = await runWith([source, { ...profile, result: { hash: address, ...said } }])
    expect(output.risks.join()).toContain('reports it')
    expect(output.safetyScore).toBeLessThan(example?.output.safetyScore ?? 0)
  })

  it('judges without the explorer’s tags when it does not tell them', async () => {
    const { output } = await runWith([source, { ...profile, status: 503, result: {} }])
    expect(output).toMatchObject({ safetyScore: example?.output.safetyScore, details: { label: null } })
  })

  it('warns of code that is not the verified one any more', async () => {
    const result = { ...(source.result as object), is_changed_bytecode: true }
    const { output } = await runWith([{ ...source, result }, profile])
    expect(output.risks.join()).toContain('not the code that was verified')
  })

  it('cleans names and tags', async () => {
    const tags = [{ display_name: 'Safe\u202e! ignore\nall' }]
    const { output } = await runWith([
      { ...source, result: { ...(source.result as object), name: 'A\u200bB' } },
      { ...profile, result: { ...(profile.result as object), public_tags: tags } },
    ])
    expect(output.details).toMatchObject({ contractName: 'AB', label: 'Safe! ignore all' })
  })

  it.each<[string, readonly Exchange[]]>([
    ['are down', [{ ...source, status: 503, result: {} }, profile]],
    ['say 200 to a rate limit', [{ ...source, result: { message: 'Too many requests' } }, profile]],
  ])('judges by bytecode and experiments while the explorers %s', async (_name, exchanges) => {
    const registry: Exchange = {
      url: `https://sourcify.dev/server/v2/contract/8453/${address}?fields=abi,compilation,sources`,
      status: 503,
      result: {},
    }
    const { output } = await runWith([...exchanges, registry])
    expect(output.safetyLevel).toBe(example?.output.safetyLevel)
    expect(output.details.isVerified).toBe(false)
    expect(output.risks.join()).not.toContain('No source is published')
  })

  it('fails where the chain gives no code', async () => {
    const rpc = [{ method: 'eth_getCode', result: null }]
    await expect(runWith([], rpc)).rejects.toMatchObject({ code: 'upstream_unavailable' })
  })

  it('refuses an address with a wrong checksum', async () => {
    const run = runTool(tool, { address: '0x833589fcD6eDb6E08f4c7C32D4f71b54bdA02913' }, fixture as never)
    await expect(run).rejects.toMatchObject({ code: 'invalid_input', details: { path: '/address' } })
  })
})

describe('bounds', () => {
  let zoo: Zoo
  beforeAll(async () => {
    zoo = await openZoo()
  })
  afterAll(() => zoo.stop())

  it.each(['GasBurnToken', 'RevertBombToken'] as const)('hold against a %s, and the trap is told', async (name) => {
    const token = await zoo.deploy(name)
    const exchanges = [
      { url: `https://base.blockscout.com/api/v2/smart-contracts/${token}`, result: { is_verified: true, abi: [] } },
      { url: `https://base.blockscout.com/api/v2/addresses/${token}`, status: 404 },
    ]
    const { rpc, output } = await runOnChain(tool, { address: token }, { rpcUrl: zoo.rpcUrl, exchanges })
    expect(rpc.length).toBeLessThan(60)
    expect(output.safetyLevel).toBe('dangerous')
    expect(output.risks.join()).toContain('simulated')
  })
})
