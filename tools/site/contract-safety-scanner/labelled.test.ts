import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { accountOf, cloneCodes, keeper, openZoo, proxiesOf, type Zoo } from '../../../test/harness/contract-zoo.ts'
import { runOnChain } from '../../../test/harness/on-chain.ts'
import type { Exchange } from '../../../test/harness/run-tool.ts'
import { sourcesHashOf } from '../../../scripts/labelled-contracts.ts'
import artifacts from './contracts/artifacts.snap.json' with { type: 'json' }
import labels from './contracts/labels.json' with { type: 'json' }
import tool from './tool.ts'

let zoo: Zoo
const places = new Map<string, Address>()

beforeAll(async () => {
  zoo = await openZoo()
  const proxies = await proxiesOf(zoo)
  for (const [name, place] of Object.entries(proxies)) {
    places.set(name, typeof place === 'string' ? place : place.at)
    if (typeof place !== 'string')
      for (const [index, target] of place.targets.entries()) places.set(`${name} ${index}`, target)
  }
  places.set('account', keeper)
  const pair = accountOf('pair')
  const plain = [
    'PlainToken',
    'PermitToken',
    'RenouncedToken',
    'SmallFeeToken',
    'PlainNft',
    'WrappedEther',
    'Escrow',
    'Decoy',
    'Timelock',
    'Multisig',
    'MintableToken',
    'PausableToken',
    'BlacklistToken',
    'PowerfulToken',
    'LaunchToken',
    'SelfDestructing',
    'Delegating',
    'FrozenToken',
    'SilentToken',
    'ClosedToken',
    'UupsPowerfulLogic',
  ] as const
  for (const name of plain) places.set(name, await zoo.deploy(name))
  const of = (name: string): Address => places.get(name) ?? keeper
  places.set('PlainVault', await zoo.deploy('PlainVault', [of('PlainToken')]))
  places.set('SellBlockedToken', await zoo.deploy('SellBlockedToken', [pair]))
  places.set('TaxToken', await zoo.deploy('TaxToken', [pair]))
  places.set('SelfDestructing with ether', await zoo.deploy('SelfDestructing', [], 5n))
  places.set('DelegatingAndDestructing', await zoo.deploy('DelegatingAndDestructing', [], 5n))
  const initialize = zoo.initialize(keeper)
  places.set('UUPS of a powerful token', await zoo.deploy('ERC1967Proxy', [of('UupsPowerfulLogic'), initialize]))
  places.set('UUPS of a multisig', await zoo.deploy('ERC1967Proxy', [of('uups'), zoo.initialize(of('Multisig'))]))
  places.set(
    'transparent behind a timelock',
    await zoo.deploy('TransparentUpgradeableProxy', [of('logic'), of('Timelock'), initialize]),
  )
  places.set('clone of a token', await zoo.place('token clone', cloneCodes.standard(of('PlainToken'))))
  places.set('clone of a honeypot', await zoo.place('honeypot clone', cloneCodes.standard(of('SilentToken'))))
})
afterAll(() => zoo.stop())

/** The explorer has the source of every contract, or of none. */
function explorerOf(published: boolean): readonly Exchange[] {
  return [...places.values()].flatMap((address) => [
    {
      url: `https://base.blockscout.com/api/v2/smart-contracts/${address}`,
      result: published
        ? { is_verified: true, is_fully_verified: true, name: 'Labelled', compiler_version: 'v0.8.37', abi: [] }
        : { deployed_bytecode: '0x60', proxy_type: null },
    },
    { url: `https://base.blockscout.com/api/v2/addresses/${address}`, status: 404, result: { message: 'Not found' } },
    {
      url: `https://sourcify.dev/server/v2/contract/8453/${address}?fields=abi,compilation,sources`,
      status: 404,
      result: { match: null },
    },
  ])
}

it('the compiled contracts are those of the sources; `node scripts/labelled-contracts.ts` makes them anew', () => {
  expect(artifacts.sourcesHash).toBe(sourcesHashOf('contract-safety-scanner'))
})

describe('the labelled contracts', () => {
  it('are at least thirty, of every kind', () => {
    expect(labels.contracts.length).toBeGreaterThanOrEqual(30)
    const kinds = new Set(labels.contracts.map(({ kind }) => kind))
    for (const kind of ['benign', 'upgradeable', 'honeypot', 'self-destructing', 'blacklisting', 'clone', 'account']) {
      expect(kinds).toContain(kind)
    }
  })

  it.each(labels.contracts)('$name ($kind) is $published with source and $unpublished without', async (label) => {
    const address = places.get(label.name)
    if (address === undefined) throw new Error(`${label.name} is not deployed.`)
    for (const published of [true, false]) {
      const { output, rpc } = await runOnChain(
        tool,
        { address },
        { rpcUrl: zoo.rpcUrl, exchanges: explorerOf(published) },
      )
      const level = published ? label.published : label.unpublished
      expect({ level: output.safetyLevel, why: output.risks }).toEqual({ level, why: output.risks })
      if (label.because !== undefined && published) expect(output.risks.join('\n')).toContain(label.because)
      expect(rpc.length).toBeLessThanOrEqual(16)
    }
  })
})
