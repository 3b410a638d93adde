// A facilitator and a chain that agree to everything at once, so that only the server's own work is measured.
import { createServer } from 'node:http'

const topics = {
  used: '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5',
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
} as const

type Authorization = { readonly from: string; readonly to: string; readonly value: string; readonly nonce: string }
type Body = {
  readonly paymentPayload: { readonly payload: { readonly authorization: Authorization } }
  readonly paymentRequirements: { readonly network: string; readonly asset: string }
}
type RpcRequest = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }

const supported = {
  kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }],
  extensions: [],
  signers: {},
}
/** The log of every transfer, by its transaction: what an audit of a settlement reads back. */
const transfers = new Map<string, unknown>()

const pad = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

function settle({ paymentPayload, paymentRequirements }: Body): unknown {
  const { from, to, value, nonce } = paymentPayload.payload.authorization
  const { asset: address, network } = paymentRequirements
  const transaction = `0x${(transfers.size + 1).toString(16).padStart(64, '0')}`
  const log = { address, transactionHash: transaction, data: '0x' }
  transfers.set(transaction, [
    { ...log, logIndex: '0x0', topics: [topics.used, pad(from), nonce] },
    {
      ...log,
      logIndex: '0x1',
      topics: [topics.transfer, pad(from), pad(to)],
      data: `0x${BigInt(value).toString(16).padStart(64, '0')}`,
    },
  ])
  return { success: true, transaction, network, payer: from }
}

function rpc({ id, method, params }: RpcRequest): unknown {
  const answer = (result: unknown): unknown => ({ jsonrpc: '2.0', id, result })
  if (method === 'eth_chainId') return answer('0x2105')
  if (method === 'eth_getBlockByNumber') {
    return answer({ number: '0x1000', timestamp: `0x${Math.floor(Date.now() / 1_000).toString(16)}` })
  }
  if (method === 'eth_getTransactionReceipt') {
    const logs = transfers.get(String(params[0]))
    return answer(logs === undefined ? null : { status: '0x1', blockNumber: '0x800', logs })
  }
  if (method === 'eth_blockNumber') return answer('0x1000')
  if (method === 'eth_gasPrice') return answer('0x6e7960')
  if (method === 'eth_maxPriorityFeePerGas') return answer('0x124f80')
  if (method === 'eth_feeHistory') {
    const blocks = Number(params[0])
    return answer({
      oldestBlock: `0x${(4_096 - blocks).toString(16)}`,
      baseFeePerGas: Array<string>(blocks + 1).fill('0x55d080'),
      gasUsedRatio: Array<number>(blocks).fill(0.2),
      reward: Array.from({ length: blocks }, () => Array<string>(3).fill('0x124f80')),
    })
  }
  return { jsonrpc: '2.0', id, error: { code: -32_601, message: 'not here' } }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8')
    const answerOf = (): unknown => {
      if (request.url === '/supported') return supported
      const body: unknown = JSON.parse(text)
      if (request.url === '/verify') {
        return { isValid: true, payer: (body as Body).paymentPayload.payload.authorization.from }
      }
      if (request.url === '/settle') return settle(body as Body)
      return Array.isArray(body) ? (body as RpcRequest[]).map(rpc) : rpc(body as RpcRequest)
    }
    const json = JSON.stringify(answerOf())
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
    response.end(json)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 }))
})
