import { type Abi, type Address, encodeDeployData, encodeFunctionData, getContractAddress, type Hex, toHex } from 'viem'
import { z } from 'zod'

import { rpc } from '../../sandbox/rpc.ts'
import { sendSteps } from '../../sandbox/transactions.ts'
import artifacts from '../../tools/site/contract-safety-scanner/contracts/artifacts.snap.json' with { type: 'json' }
import { accountOf, keeper, type Zoo } from './contract-zoo.ts'

const stepSchema = z.object({
  /** The deployer where it is left out. */
  from: z.string().optional(),
  to: z.string(),
  data: z.string(),
  args: z.array(z.unknown()),
  value: z.string().optional(),
})

/** A labelled contract and how it comes to its state. `$name` is an account, `@name` another contract of the set. */
export const labelledSchema = z.object({
  name: z.string(),
  level: z.string(),
  alsoAcceptable: z.array(z.string()).optional(),
  kind: z.string(),
  contract: z.string(),
  args: z.array(z.unknown()).optional(),
  value: z.string().optional(),
  steps: z.array(stepSchema).optional(),
  /** Calls that show the fault which the label states; made only where somebody asks for the proof. */
  proof: z.array(stepSchema).optional(),
})

export type Labelled = z.output<typeof labelledSchema>

type Artifact = { readonly abi: unknown; readonly bytecode: string }

/**
 * Deploys a set of labelled contracts in their order, and says where each is.
 * @param compiled what they were compiled to, by name: the contracts of this project, or those of a set from outside.
 */
export async function deploySet(
  zoo: Zoo,
  set: readonly Labelled[],
  compiled?: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, Address>> {
  const builder = setBuilder(zoo, compiled)
  for (const one of set) await builder.add(one)
  return builder.places
}

/** Puts labelled contracts on a chain one by one; `act` makes calls to those that are there. */
export function setBuilder(zoo: Zoo, compiled: Readonly<Record<string, unknown>> = artifacts.contracts) {
  const places = new Map<string, Address>()
  const contractOf = new Map<string, string>()
  const artifactOf = (name: string): Artifact => {
    const found = compiled[name]
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
  const act = async (steps: Labelled['steps'] = []): Promise<void> => {
    for (const step of steps) {
      const target = step.to.slice(1)
      const data = encodeFunctionData({
        abi: artifactOf(contractOf.get(target) ?? '').abi as Abi,
        functionName: step.data,
        args: step.args.map(resolve),
      })
      const from = step.from === undefined ? keeper : (resolve(step.from) as Address)
      if (from !== keeper) await rpc(zoo.rpcUrl, 'anvil_setBalance', from, toHex(10n ** 20n))
      await sendSteps(zoo.rpcUrl, [{ from, to: places.get(target) ?? keeper, data, value: BigInt(step.value ?? 0) }])
    }
  }
  const add = async ({ name, contract, args = [], value = '0', steps }: Labelled): Promise<void> => {
    const { abi, bytecode } = artifactOf(contract)
    const data = encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args: args.map(resolve) })
    const nonce = BigInt((await rpc(zoo.rpcUrl, 'eth_getTransactionCount', keeper, 'pending')) as string)
    const address = getContractAddress({ from: keeper, nonce }).toLowerCase() as Address
    await sendSteps(zoo.rpcUrl, [{ from: keeper, data, value: BigInt(value) }])
    places.set(name, address)
    contractOf.set(name, contract)
    await act(steps)
  }
  return { places, add, act }
}
