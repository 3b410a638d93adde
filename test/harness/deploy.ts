import { type Abi, type Address, encodeDeployData, getContractAddress, type Hex } from 'viem'

import { rpc } from '../../sandbox/rpc.ts'
import { sendSteps } from '../../sandbox/transactions.ts'

export type Artifact = { readonly abi: unknown; readonly bytecode: string }

/** Deploys a compiled contract from an account of a local chain; returns its address in lower case. */
export async function deployFrom(
  { rpcUrl, from }: { readonly rpcUrl: string; readonly from: Address },
  { abi, bytecode }: Artifact,
  args: readonly unknown[] = [],
  value = 0n,
): Promise<Address> {
  const data = encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args })
  const nonce = BigInt((await rpc(rpcUrl, 'eth_getTransactionCount', from, 'pending')) as string)
  await sendSteps(rpcUrl, [{ from, data, value }])
  return getContractAddress({ from, nonce }).toLowerCase() as Address
}
