import { x402Facilitator } from '@x402/core/facilitator'
import { PaymentPayloadSchema, PaymentRequirementsSchema } from '@x402/core/schemas'
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator'
import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  formatLog,
  http,
  type Abi,
  type Address,
  type Hex,
  type Log,
  type RpcTransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

import { serveLoopback, type LoopbackAnswer } from './loopback.ts'
import type { Magic } from './magic.ts'
import { poll, rpc } from './rpc.ts'

export type FacilitatorEvent =
  | { readonly kind: 'verify'; readonly payload: PaymentPayload; readonly answer: VerifyResponse }
  | { readonly kind: 'settle'; readonly payload: PaymentPayload; readonly answer: SettleResponse }

export type FacilitatorOptions = {
  readonly rpcUrl: string
  readonly chainId: number
  /** Pays the gas; on a sandbox chain only. */
  readonly privateKey: Hex
  /** How long `settle` waits for the block before it answers `settlement_pending`; ten seconds unless given. */
  readonly confirmationMs?: number
  readonly onEvent?: (event: FacilitatorEvent) => void
}

type SupportedKind = { readonly x402Version: number; readonly scheme: string; readonly network: string }

export type Facilitator = {
  readonly verify: (payload: PaymentPayload, requirements: PaymentRequirements) => Promise<VerifyResponse>
  readonly settle: (payload: PaymentPayload, requirements: PaymentRequirements) => Promise<SettleResponse>
  readonly supported: () => {
    readonly kinds: readonly SupportedKind[]
    readonly extensions: readonly string[]
    readonly signers: Readonly<Record<string, readonly string[]>>
  }
}

export type FacilitatorServer = { readonly url: string; readonly stop: () => Promise<void> }

/** An x402 facilitator that verifies and settles exact payments on the given chain. */
export function createFacilitator(options: FacilitatorOptions): Facilitator {
  const network = `eip155:${options.chainId}` as const
  const facilitator = new x402Facilitator()
  registerExactEvmScheme(facilitator, { signer: createSigner(options), networks: network })
  /** The library throws at a scheme or a network that it was not given; a caller deserves a reason. */
  const refusalOf = (requirements: PaymentRequirements): string | undefined => {
    if (requirements.scheme !== 'exact') return 'unsupported_scheme'
    return requirements.network === network ? undefined : 'invalid_network'
  }
  return {
    verify: async (payload, requirements) => {
      const foreign = refusalOf(requirements)
      const answer: VerifyResponse =
        foreign === undefined
          ? await facilitator.verify(payload, requirements)
          : { isValid: false, invalidReason: foreign }
      options.onEvent?.({ kind: 'verify', payload, answer })
      return answer
    },
    settle: async (payload, requirements) => {
      const foreign = refusalOf(requirements)
      const answer: SettleResponse =
        foreign === undefined
          ? await facilitator.settle(payload, requirements)
          : { success: false, errorReason: foreign, transaction: '', network: requirements.network }
      options.onEvent?.({ kind: 'settle', payload, answer })
      return answer
    },
    supported: () => {
      const { kinds, extensions, signers } = facilitator.getSupported()
      // The library lists every network that version 1 knew; this facilitator has one chain.
      return { kinds: kinds.filter((kind) => kind.network === network), extensions, signers }
    },
  }
}

/** Serves a facilitator on loopback: `GET /supported`, `POST /verify`, `POST /settle`. */
export async function serveFacilitator(
  facilitator: Facilitator,
  port = 0,
  magic: Magic = () => undefined,
): Promise<FacilitatorServer> {
  return serveLoopback(async (request) => {
    const route = `${request.method} ${request.path}`
    if (route === 'GET /supported') return { status: 200, body: facilitator.supported() }
    if (route !== 'POST /verify' && route !== 'POST /settle') {
      return { status: 404, body: { error: 'There are GET /supported, POST /verify and POST /settle.' } }
    }
    const { payload, requirements } = readRequest(request.body)
    if (route === 'POST /verify') {
      if (payload === undefined || requirements === undefined) return refusedVerify
      const verify = async () => ({ status: 200, body: await facilitator.verify(payload, requirements) })
      return magic('verify', payerOf(payload), verify) ?? verify()
    }
    if (payload === undefined || requirements === undefined) return refusedSettle
    const settle = async () => ({ status: 200, body: await facilitator.settle(payload, requirements) })
    return magic('settle', payerOf(payload), settle) ?? settle()
  }, port)
}

function payerOf({ payload }: PaymentPayload): string {
  const { from } = (payload['authorization'] ?? {}) as { readonly from?: unknown }
  return String(from)
}

const refusedVerify: LoopbackAnswer = { status: 400, body: { isValid: false, invalidReason: 'invalid_payload' } }
const refusedSettle: LoopbackAnswer = {
  status: 400,
  body: { success: false, errorReason: 'invalid_payload', transaction: '', network: '' },
}

/** The two halves of a request, each undefined when it is not what the protocol says. */
function readRequest(body: string): {
  readonly payload: PaymentPayload | undefined
  readonly requirements: PaymentRequirements | undefined
} {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { payload: undefined, requirements: undefined }
  }
  const { paymentPayload, paymentRequirements } = (json ?? {}) as Readonly<Record<string, unknown>>
  const payload = PaymentPayloadSchema.safeParse(paymentPayload)
  const requirements = PaymentRequirementsSchema.safeParse(paymentRequirements)
  return {
    payload: payload.success && isExactEvm(payload.data) ? (payload.data as PaymentPayload) : undefined,
    requirements: requirements.success ? (requirements.data as PaymentRequirements) : undefined,
  }
}

/** The library takes the inner payload as it comes and throws a TypeError on anything but an authorization. */
function isExactEvm({ payload }: { readonly payload: Readonly<Record<string, unknown>> }): boolean {
  const authorization = payload['authorization']
  if (typeof payload['signature'] !== 'string' || typeof authorization !== 'object' || authorization === null) {
    return false
  }
  const fields = authorization as Readonly<Record<string, unknown>>
  const isText = (name: string, pattern: RegExp): boolean => {
    const value = fields[name]
    return typeof value === 'string' && pattern.test(value)
  }
  return (
    /^0x([0-9a-f]{2})+$/i.test(payload['signature']) &&
    ['from', 'to'].every((name) => isText(name, /^0x[0-9a-f]{40}$/i)) &&
    ['value', 'validAfter', 'validBefore'].every((name) => isText(name, /^\d{1,78}$/)) &&
    isText('nonce', /^0x[0-9a-f]{64}$/i)
  )
}

function createSigner(options: FacilitatorOptions): ReturnType<typeof toFacilitatorEvmSigner> {
  const chain = {
    id: options.chainId,
    name: 'Sandbox',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [options.rpcUrl] } },
  } as const
  const transport = http(options.rpcUrl, { retryCount: 0, timeout: 10_000 })
  const account = privateKeyToAccount(options.privateKey)
  const reader = createPublicClient({ chain, transport })
  const writer = createWalletClient({ account, chain, transport })
  const confirmationMs = options.confirmationMs ?? 10_000

  let queue: Promise<unknown> = Promise.resolve()

  // One at a time: two sends that ask for the nonce together get the same one. The chain is asked each time: a block
  // that is taken out of it takes the count back, and a count of our own would leave a gap that nothing after it gets
  // past.
  const send = (to: Address, data: Hex): Promise<Hex> => {
    const sent = queue.then(async () => {
      // A transfer that would revert is refused here, with the token's words, before it costs gas.
      const gas = await reader.estimateGas({ account, to, data })
      const nonce = await reader.getTransactionCount({ address: account.address, blockTag: 'pending' })
      return writer.sendTransaction({
        to,
        data,
        nonce,
        gas: (gas * 12n) / 10n,
        maxFeePerGas: 2_000_000_000n,
        maxPriorityFeePerGas: 1_000_000n,
      })
    })
    queue = sent.catch(() => undefined)
    return sent
  }

  return toFacilitatorEvmSigner(
    {
      address: account.address,
      getCode: (args) => reader.getCode(args),
      readContract: ({ abi, ...args }) => reader.readContract({ ...args, abi: abi as Abi }),
      verifyTypedData: (args) => reader.verifyTypedData(args as Parameters<typeof reader.verifyTypedData>[0]),
      sendTransaction: ({ to, data }) => send(to, data),
      writeContract: ({ address, abi, functionName, args }) =>
        send(address, encodeFunctionData({ abi: abi as Abi, functionName, args: [...args] })),
      // The library's own waiting misses receipts of a chain that mines at once, so the receipt is asked for by hand.
      waitForTransactionReceipt: ({ hash, timeout }) =>
        poll(() => readReceipt(options.rpcUrl, hash), 'the receipt of the settlement', timeout ?? confirmationMs),
    },
    { confirmationTimeoutMs: confirmationMs },
  )
}

async function readReceipt(
  rpcUrl: string,
  hash: Hex,
): Promise<{ readonly status: string; readonly logs: readonly Log[] } | undefined> {
  const receipt = (await rpc(rpcUrl, 'eth_getTransactionReceipt', hash)) as RpcTransactionReceipt | null
  if (receipt === null) return undefined
  return { status: receipt.status === '0x1' ? 'success' : 'reverted', logs: receipt.logs.map((log) => formatLog(log)) }
}
