import { type Abi, type Address, encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { z } from 'zod'

import { rpc } from '../../sandbox/rpc.ts'
import { sendSteps } from '../../sandbox/transactions.ts'
import artifacts from '../../tools/site/contract-safety-scanner/contracts/artifacts.snap.json' with { type: 'json' }
import { accountOf, keeper, type Zoo } from './contract-zoo.ts'

/** A labelled contract and how it comes to its state. `$name` is an account, `@name` another contract of the set. */
export const labelledSchema = z.object({
  name: z.string(),
  level: z.string(),
  alsoAcceptable: z.array(z.string()).optional(),
  kind: z.string(),
  contract: z.string(),
  args: z.array(z.unknown()).optional(),
  value: z.string().optional(),
  steps: z.array(z.object({ to: z.string(), data: z.string(), args: z.array(z.unknown()) })).optional(),
})

type Labelled = z.output<typeof labelledSchema>

type Artifact = { readonly abi: unknown; readonly bytecode: string }

/** Deploys a set of labelled contracts in their order, and says where each is. */
export async function deploySet(zoo: Zoo, set: readonly Labelled[]): Promise<ReadonlyMap<string, Address>> {
  const places = new Map<string, Address>()
  const contractOf = new Map<string, string>()
  const artifactOf = (name: string): Artifact => {
    const found: unknown = Reflect.get(artifacts.contracts, name)
    if (found === undefined) throw new Error(`${name} is not compiled.`)
    return found as Artifact
  }
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'string') return value
    if (value === '$keeper') return keeper
    if (value.startsWith('$')) return accountOf(value.slice(1))
    return value.startsWith('@') ? places.get(value.slice(1)) : value
  }
  for (const { name, contract, args = [], value = '0', steps = [] } of set) {
    const { abi, bytecode } = artifactOf(contract)
    const data = encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args: args.map(resolve) })
    const nonce = BigInt((await rpc(zoo.rpcUrl, 'eth_getTransactionCount', keeper, 'pending')) as string)
    const address = getContractAddress({ from: keeper, nonce }).toLowerCase() as Address
    await sendSteps(zoo.rpcUrl, [{ from: keeper, data, value: BigInt(value) }])
    places.set(name, address)
    contractOf.set(name, contract)
    for (const step of steps) {
      const target = step.to.slice(1)
      const call = encodeFunctionData({
        abi: artifactOf(contractOf.get(target) ?? '').abi as Abi,
        functionName: step.data,
        args: step.args.map(resolve),
      })
      await sendSteps(zoo.rpcUrl, [{ from: keeper, to: places.get(target) ?? keeper, data: call }])
    }
  }
  return places
}
