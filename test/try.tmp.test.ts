import { appendFileSync, writeFileSync } from 'node:fs'
import { it } from 'vitest'
import type { Address } from 'viem'
import { accountOf, cloneCodes, keeper, openZoo, proxiesOf } from './harness/contract-zoo.ts'
import { runOnChain } from './harness/on-chain.ts'
import labels from '../tools/site/contract-safety-scanner/contracts/labels.json' with { type: 'json' }
import tool from '../tools/site/contract-safety-scanner/tool.ts'

it('tries', async () => {
  const zoo = await openZoo()
  const places = new Map<string, Address>()
  const proxies = await proxiesOf(zoo)
  for (const [name, place] of Object.entries(proxies)) places.set(name, typeof place === 'string' ? place : place.at)
  const pair = accountOf('pair')
  for (const name of [
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
  ] as const)
    places.set(name, await zoo.deploy(name))
  const of = (name: string): Address => places.get(name) ?? keeper
  places.set('PlainVault', await zoo.deploy('PlainVault', [of('PlainToken')]))
  places.set('SellBlockedToken', await zoo.deploy('SellBlockedToken', [pair]))
  places.set('TaxToken', await zoo.deploy('TaxToken', [pair]))
  const initialize = zoo.initialize(keeper)
  places.set('UUPS of a powerful token', await zoo.deploy('ERC1967Proxy', [of('UupsPowerfulLogic'), initialize]))
  places.set('UUPS of a multisig', await zoo.deploy('ERC1967Proxy', [of('uups'), zoo.initialize(of('Multisig'))]))
  places.set(
    'transparent behind a timelock',
    await zoo.deploy('TransparentUpgradeableProxy', [of('logic'), of('Timelock'), initialize]),
  )
  places.set('clone of a honeypot', await zoo.place('honeypot clone', cloneCodes.standard(of('SilentToken'))))
  writeFileSync('/tmp/try.txt', '')
  const only = process.env['ONLY']?.split(',')
  for (const [name, address] of places) {
    if (only && !only.includes(name)) continue
    const exchanges = [
      { url: `https://base.blockscout.com/api/v2/smart-contracts/${address}`, status: 503 },
      { url: `https://base.blockscout.com/api/v2/addresses/${address}`, status: 404 },
      { url: `https://sourcify.dev/server/v2/contract/8453/${address}?fields=abi,compilation,sources`, status: 503 },
    ]
    const t = performance.now()
    try {
      const { output, rpc } = await runOnChain(tool, { address }, { rpcUrl: zoo.rpcUrl, exchanges, deadlineMs: 60_000 })
      const label = labels.contracts.find((one) => one.name === name)
      appendFileSync(
        '/tmp/try.txt',
        `${name}: ${output.safetyLevel} ${output.safetyScore} (label ${label?.published}) ${rpc.length} requests, ${Math.round(performance.now() - t)} ms\n  - ${output.risks.join('\n  - ')}\n  + ${output.positives.join('\n  + ')}\n`,
      )
    } catch (error) {
      appendFileSync(
        '/tmp/try.txt',
        `${name}: FAILED ${String(error)} ${error instanceof Error ? String(error.stack).slice(0, 400) : ''}\n`,
      )
    }
  }
  await zoo.stop()
}, 600_000)
