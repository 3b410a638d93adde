import { createPublicClient, http, parseAbiItem } from 'viem'

const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
const used = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')

export type SettledOnChain = { readonly value: bigint; readonly transaction: string }

export type ChainReads = {
  /** The transfers to the address, in order. */
  readonly transfersTo: (address: string) => Promise<readonly SettledOnChain[]>
  /** The transactions that used up the authorization: at most one on any chain. */
  readonly usesOf: (payer: string, nonce: string) => Promise<readonly string[]>
}

/** What the sandbox's chain knows for good. */
export function createChainReads(rpcUrl: string, asset: string): ChainReads {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const address = asset as `0x${string}`
  return {
    transfersTo: async (to) => {
      const logs = await client.getLogs({
        address,
        event: transfer,
        args: { to: to as `0x${string}` },
        fromBlock: 0n,
        toBlock: 'latest',
      })
      return logs.map((log) => ({ value: log.args.value ?? 0n, transaction: log.transactionHash }))
    },
    usesOf: async (payer, nonce) => {
      const logs = await client.getLogs({
        address,
        event: used,
        args: { authorizer: payer as `0x${string}`, nonce: nonce as `0x${string}` },
        fromBlock: 0n,
        toBlock: 'latest',
      })
      return logs.map((log) => log.transactionHash)
    },
  }
}
