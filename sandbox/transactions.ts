import { toHex, type Address, type Hex } from 'viem'

import { poll, rpc, rpcBatch, type RpcCall } from './rpc.ts'

/** A transaction without a signature; without `to` it deploys `data`. */
export type Step = { readonly from: Address; readonly to?: Address; readonly data?: Hex; readonly value?: bigint }

/** Enough for a contract of the greatest size. */
const gasPerTransaction = 8_000_000n
/** Longer than the chain takes for its regular block. */
const pushAfterMs = 2_500

/**
 * Sends the steps without their senders' keys, which only a local chain allows, and waits until all are in a block.
 * Steps of one sender happen in their order; between senders there is no order.
 *
 * @throws when a step fails.
 */
export async function sendSteps(rpcUrl: string, steps: readonly Step[]): Promise<void> {
  const senders = [...new Set(steps.map(({ from }) => from))]
  const prepared = await rpcBatch(rpcUrl, [
    ...senders.map((sender): RpcCall => ['eth_getTransactionCount', sender, 'pending']),
    ...senders.map((sender): RpcCall => ['anvil_impersonateAccount', sender]),
  ])
  const nonces = new Map(senders.map((sender, index) => [sender, Number(prepared[index])]))
  const hashes = await rpcBatch(
    rpcUrl,
    steps.map(({ from, to, data, value }): RpcCall => {
      // The chain works on the calls of a batch in any order, so each says its place.
      const nonce = nonces.get(from) ?? 0
      nonces.set(from, nonce + 1)
      const amount = toHex(value ?? 0n)
      return [
        'eth_sendTransaction',
        { from, to, data, value: amount, nonce: toHex(nonce), gas: toHex(gasPerTransaction) },
      ]
    }),
  )
  let nextPush = performance.now() + pushAfterMs
  const mined = async (): Promise<true | undefined> => {
    const done = await allMined(rpcUrl, hashes)
    if (done === undefined && performance.now() > nextPush) {
      // Now and then the chain does not notice that transactions wait; a block that is asked for takes them along.
      nextPush = performance.now() + pushAfterMs
      await rpc(rpcUrl, 'evm_mine')
    }
    return done
  }
  await poll(mined, 'transactions of the sandbox', 8_000)
  await rpcBatch(
    rpcUrl,
    senders.map((sender): RpcCall => ['anvil_stopImpersonatingAccount', sender]),
  )
}

/** True when all are in a block, undefined while one is not. @throws when one of them failed. */
async function allMined(rpcUrl: string, hashes: readonly unknown[]): Promise<true | undefined> {
  const receipts = (await rpcBatch(
    rpcUrl,
    hashes.map((hash): RpcCall => ['eth_getTransactionReceipt', hash]),
  )) as ({ readonly status: string } | null)[]
  const failed = receipts.findIndex((receipt) => receipt !== null && receipt.status !== '0x1')
  if (failed >= 0) throw new Error(`Transaction ${failed} of ${hashes.length} failed on the sandbox's chain.`)
  return receipts.includes(null) ? undefined : true
}
