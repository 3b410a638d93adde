import { unavailableReasonOf } from '../src/describe/availability.ts'
import { type AiToolDocument, aiToolDocumentsOf, ownerPredicate } from '../src/describe/erc8257.ts'
import { CallError } from '../src/errors.ts'
import type { Config } from '../src/platform/config.ts'
import { ConfigError } from '../src/platform/config-error.ts'
import { RpcError } from '../src/upstream/chain/rpc-error.ts'
import { createToolRegistry, type RegistryEntry } from '../src/upstream/chain/tool-registry.ts'
import type { Upstreams } from '../src/upstream/upstreams.ts'
import { describeOf } from './house.ts'
import { createLocalHouse, type HouseParts, type LocalHouse, settingsOf } from './local-house.ts'
import { readSecretFile } from './secret-file.ts'
import { type Difference, planOf, type RegistryAction } from './registry-plan.ts'

export type RegistryCommand = {
  readonly args: readonly string[]
  readonly parts: HouseParts
  readonly out: (text: string) => void
  readonly note: (text: string) => void
}

/** A transaction as a wallet wants it, and what it is for. */
type Transaction = {
  readonly description: string
  readonly to: `0x${string}`
  readonly data: `0x${string}`
}

type Place = { readonly registry: `0x${string}`; readonly creator: string; readonly baseUrl: string }

const readMs = 8_000
const minedWithinMs = 120_000
const pollMs = 500
const toolRegisteredTopic = '0xe7be7fd3c802f61682f56ba817276b1cc81fbee7cb50705c8ed7952811dac397'

/** Shows how the registry differs from the definitions (`plan`), or says and does what is to be done about it (`sync`). */
export async function runRegistry(command: RegistryCommand): Promise<number> {
  const { args, parts, out, note } = command
  const [verb] = args
  if (verb !== 'plan' && verb !== 'sync') {
    note(`tollgate registry: say what to do, "plan" or "sync"${verb === undefined ? '' : `; "${verb}" is neither`}.`)
    return 2
  }
  const place = placeOf(parts.config)
  const house = createLocalHouse(parts)
  try {
    const look = await lookAt(house, parts.config, place)
    if (verb === 'sync') return await sync(command, house, place, look)
    const { differences } = look.plan
    if (args.includes('--json')) {
      out(JSON.stringify({ inSync: differences.length === 0, ...place, ...summaryOf(look), differences }))
    } else {
      out(`Registry ${place.registry} at block ${look.blockNumber}, entries of ${place.creator} for ${place.baseUrl}:`)
      for (const difference of differences) out(`  ${lineOf(difference)}`)
      out(differences.length === 0 ? `  all ${look.tools} tools are as defined.` : `${differences.length} differences.`)
    }
    return differences.length === 0 ? 0 : 1
  } finally {
    await house.upstreams.close()
  }
}

/** @throws ConfigError naming what the registry's entries cannot be made without. */
function placeOf(config: Config): Place {
  const { publicUrl, registry, payTo } = config
  const problems: string[] = []
  if (payTo === undefined) problems.push('TOLLGATE_PAY_TO: the manifests name the wallet that is paid')
  if (publicUrl === undefined) {
    problems.push('TOLLGATE_PUBLIC_URL: the registry points at the manifests, so it needs the public address')
  } else {
    const { protocol, origin } = new URL(publicUrl)
    if (publicUrl !== origin) problems.push(`TOLLGATE_PUBLIC_URL: ERC-8257 wants the bare origin, ${origin}`)
    // The sandbox's registry belongs to nobody, and its server speaks plain http on this machine.
    if (protocol !== 'https:' && !config.sandbox) problems.push('TOLLGATE_PUBLIC_URL: ERC-8257 allows https only')
  }
  if (!isHex(registry)) problems.push('TOLLGATE_REGISTRY: the address of the ERC-8257 registry is missing')
  if (problems.length > 0 || payTo === undefined || publicUrl === undefined || !isHex(registry)) {
    throw new ConfigError(problems)
  }
  return { registry, creator: (config.registryCreator ?? payTo).toLowerCase(), baseUrl: publicUrl }
}

type Look = {
  readonly plan: ReturnType<typeof planOf>
  readonly slots: number
  readonly blockNumber: number
  readonly tools: number
}

async function lookAt(house: LocalHouse, config: Config, { registry, creator, baseUrl }: Place): Promise<Look> {
  const settings = settingsOf(config, baseUrl)
  const offered = house.registry.site.filter((tool) => unavailableReasonOf(tool, settings) === undefined)
  const tools = await aiToolDocumentsOf(offered, describeOf(config, config.payTo ?? creator, baseUrl))
  const { chain } = house.upstreams.bind(AbortSignal.timeout(readMs))
  const now = (): Date => new Date(0)
  const { entries, slots, blockNumber } = await createToolRegistry({ chain, address: registry, now }).list()
  const own = entries.filter((entry) => entry.creator === creator)
  const collections = await readCollections(chain, own)
  return {
    plan: planOf({ entries, collections }, { tools, baseUrl, creator }),
    slots,
    blockNumber,
    tools: tools.length,
  }
}

function summaryOf({ blockNumber, tools, slots }: Look) {
  return { blockNumber, tools, slots }
}

/** What the pass predicate lets in for each of the given entries. */
async function readCollections(
  chain: Upstreams['chain'],
  entries: readonly RegistryEntry[],
): Promise<ReadonlyMap<bigint, readonly string[]>> {
  const gated = entries.filter((entry) => entry.accessPredicate === ownerPredicate)
  if (gated.length === 0) return new Map()
  const { decodeFunctionResult, encodeFunctionData } = await import('viem')
  const { predicateAbi } = await abis()
  const answers = await chain.multicall(
    gated.map(({ toolId }) => ({
      to: ownerPredicate,
      data: encodeFunctionData({ abi: predicateAbi, functionName: 'getCollections', args: [toolId] }),
    })),
  )
  const known = new Map<bigint, readonly string[]>()
  for (const [index, { toolId }] of gated.entries()) {
    const answer = answers[index]
    if (answer?.success !== true || !isHex(answer.data)) continue
    const list = decodeFunctionResult({ abi: predicateAbi, functionName: 'getCollections', data: answer.data })
    known.set(
      toolId,
      list.map((address) => address.toLowerCase()),
    )
  }
  return known
}

async function sync({ args, parts, out, note }: RegistryCommand, house: LocalHouse, place: Place, look: Look) {
  const json = args.includes('--json')
  const wanted = look.plan.actions.filter((action) => isWanted(action, args, look.plan.differences))
  const left = look.plan.actions.length - wanted.length
  if (!args.includes('--send')) {
    const transactions = await transactionsOf(wanted, place, look.slots)
    if (json) out(JSON.stringify({ sent: false, ...place, ...summaryOf(look), transactions, left }))
    else {
      for (const [index, { description, to, data }] of transactions.entries()) {
        out(`${index + 1}. ${description}\n   to    ${to}\n   data  ${data}`)
      }
      out(transactions.length === 0 ? 'Nothing to send.' : `${transactions.length} transactions, none sent.`)
    }
    noteLeft(note, left)
    return 0
  }
  const send = await createSender(parts, house, place.creator)
  const sent: { readonly description: string; readonly hash: string }[] = []
  const sendOne = async (transaction: Transaction): Promise<Receipt> => {
    const receipt = await send(transaction)
    sent.push({ description: transaction.description, hash: receipt.transactionHash })
    if (!json) out(`${transaction.description}\n   ${receipt.transactionHash}`)
    return receipt
  }
  for (const action of wanted) {
    const receipt = await sendOne(await transactionOf(action, place))
    if (action.kind !== 'register' || action.tool.collections.length === 0) continue
    const toolId = registeredIdOf(receipt)
    await sendOne(await transactionOf({ kind: 'set-collections', toolId, tool: action.tool }, place))
  }
  if (json) out(JSON.stringify({ sent: true, ...place, transactions: sent, left }))
  else out(sent.length === 0 ? 'Nothing to send.' : `${sent.length} transactions are in blocks.`)
  noteLeft(note, left)
  return 0
}

/** What cannot be taken back, or may belong to another server of the same wallet, is done only where it is asked for. */
function isWanted(action: RegistryAction, args: readonly string[], differences: readonly Difference[]): boolean {
  if (action.kind === 'deregister') return args.includes('--deregister')
  if (action.kind === 'register' || args.includes('--move')) return true
  return !differences.some(({ kind, toolId }) => kind === 'changed-uri' && toolId === Number(action.toolId))
}

function noteLeft(note: (text: string) => void, left: number): void {
  if (left === 0) return
  note(
    `${left} more only on request: --move takes over the entries of another origin, --deregister gives up entries of tools that are not offered here, for good.`,
  )
}

/** Every transaction of the actions; ids of tools that are yet to be registered are foreseen from `slots`. */
async function transactionsOf(
  actions: readonly RegistryAction[],
  place: Place,
  slots: number,
): Promise<readonly Transaction[]> {
  let nextId = BigInt(slots)
  const transactions: Transaction[] = []
  for (const action of actions) {
    transactions.push(await transactionOf(action, place))
    if (action.kind !== 'register') continue
    nextId += 1n
    if (action.tool.collections.length === 0) continue
    const follower = await transactionOf({ kind: 'set-collections', toolId: nextId, tool: action.tool }, place)
    transactions.push({
      ...follower,
      description: `${follower.description}; holds only if ${nextId} is the id that the registration before gets`,
    })
  }
  return transactions
}

async function transactionOf(action: RegistryAction, { registry }: Place): Promise<Transaction> {
  const { encodeFunctionData, getAddress } = await import('viem')
  const { registryAbi, predicateAbi } = await abis()
  switch (action.kind) {
    case 'register': {
      const { url, predicate, slug } = action.tool
      const data = encodeFunctionData({
        abi: registryAbi,
        functionName: 'registerTool',
        args: [url, hashOf(action.tool), getAddress(predicate)],
      })
      return { to: registry, data, description: `Register ${slug} with the manifest at ${url}` }
    }
    case 'update': {
      const { toolId, tool } = action
      const args = [toolId, tool.url, hashOf(tool)] as const
      const data = encodeFunctionData({ abi: registryAbi, functionName: 'updateToolMetadata', args })
      return { to: registry, data, description: `Point tool ${toolId}, ${tool.slug}, at ${tool.url} as it is now` }
    }
    case 'set-predicate': {
      const { toolId, tool } = action
      const args = [toolId, getAddress(tool.predicate)] as const
      const data = encodeFunctionData({ abi: registryAbi, functionName: 'setAccessPredicate', args })
      return {
        to: registry,
        data,
        description: `Let ${tool.predicate} decide who may use tool ${toolId}, ${tool.slug}`,
      }
    }
    case 'set-collections': {
      const { toolId, tool } = action
      const args = [toolId, tool.collections.map((one) => getAddress(one))] as const
      const data = encodeFunctionData({ abi: predicateAbi, functionName: 'setCollections', args })
      const holders = tool.collections.join(', ')
      return { to: ownerPredicate, data, description: `Open tool ${toolId}, ${tool.slug}, to holders of ${holders}` }
    }
    case 'deregister': {
      const data = encodeFunctionData({ abi: registryAbi, functionName: 'deregisterTool', args: [action.toolId] })
      return { to: registry, data, description: `Give up tool ${action.toolId}, ${action.slug}, for good` }
    }
  }
}

type Receipt = { readonly transactionHash: string; readonly logs: readonly { readonly topics: readonly string[] }[] }

/** Signs and sends one transaction after the other, and waits for each to be in a block. The key never leaves here. */
async function createSender(
  { config, clock }: HouseParts,
  { upstreams }: LocalHouse,
  creator: string,
): Promise<(transaction: Transaction) => Promise<Receipt>> {
  const { privateKeyToAccount } = await import('viem/accounts')
  const { keccak256 } = await import('viem')
  const { z } = await import('zod')
  const account = privateKeyToAccount(await readKey(config.registryKeyFile))
  if (account.address.toLowerCase() !== creator) {
    throw new ConfigError([
      `TOLLGATE_REGISTRY_KEY_FILE: its key belongs to ${account.address}, but the entries belong to ${creator}`,
    ])
  }
  const quantity = z.string().regex(/^0x[0-9a-f]+$/i)
  const receiptShape = z.object({
    transactionHash: z.string(),
    status: z.string(),
    logs: z.array(z.object({ topics: z.array(z.string()) })),
  })
  const rpc = (method: string, params: readonly unknown[]): Promise<unknown> =>
    upstreams.bind(AbortSignal.timeout(readMs)).chain.request({ method, params })
  const number = async (method: string, params: readonly unknown[] = []): Promise<bigint> =>
    BigInt(quantity.parse(await rpc(method, params)))

  let nonce = Number(await number('eth_getTransactionCount', [account.address, 'pending']))

  return async ({ to, data, description }) => {
    const refused = (cause: unknown): CallError =>
      new CallError('unavailable', `The chain refused this transaction: ${description}.`, {
        nextStep: 'Look at it with `tollgate registry sync`; what was sent before stays.',
        cause,
      })
    const [estimate, price] = await Promise.all([
      number('eth_estimateGas', [{ from: account.address, to, data }]).catch((cause: unknown) => {
        throw cause instanceof RpcError ? refused(cause) : cause
      }),
      number('eth_gasPrice'),
    ])
    const signed = await account.signTransaction({
      chainId: config.chainId,
      type: 'eip1559',
      to,
      data,
      nonce,
      gas: (estimate * 5n) / 4n,
      maxFeePerGas: price * 2n,
      maxPriorityFeePerGas: price / 100n,
    })
    const hash = keccak256(signed)
    try {
      await rpc('eth_sendRawTransaction', [signed])
    } catch (error) {
      // Several RPCs are asked, so one may know the transaction from the other.
      if (!(error instanceof RpcError) || !/known|already/i.test(error.rpcMessage)) throw error
    }
    nonce += 1
    const until = clock.now() + minedWithinMs
    while (clock.now() < until) {
      const found = receiptShape.safeParse(await rpc('eth_getTransactionReceipt', [hash]))
      if (found.success) {
        if (found.data.status !== '0x1') throw refused(undefined)
        return found.data
      }
      await clock.sleep(pollMs)
    }
    throw new CallError('unavailable', `Transaction ${hash} is in no block after ${minedWithinMs / 1_000} s.`, {
      nextStep: 'Wait until it is, then run `tollgate registry plan`.',
    })
  }
}

/** The key from a file that nobody else may read. No message ever has a part of it. @throws ConfigError */
async function readKey(path: string | undefined): Promise<`0x${string}`> {
  const problem = (text: string): ConfigError => new ConfigError([`TOLLGATE_REGISTRY_KEY_FILE: ${text}`])
  if (path === undefined) throw problem('--send needs a file with the private key of the wallet that owns the entries')
  const text = (await readSecretFile(path, 'TOLLGATE_REGISTRY_KEY_FILE')).trim()
  const key = text.startsWith('0x') ? text : `0x${text}`
  if (!isHex(key) || key.length !== 66) throw problem('the file must hold one private key: 0x and 64 hex digits')
  return key
}

/** The id that a registration got: the first topic of its event, `ToolRegistered(uint256,address,address,string,bytes32)`. */
function registeredIdOf({ logs }: Receipt): bigint {
  const event = logs.find(({ topics }) => topics[0] === toolRegisteredTopic)
  const id = event?.topics[1]
  if (id === undefined) throw new CallError('unavailable', 'The registration left no event with its id.')
  return BigInt(id)
}

/** Loaded with viem: the command line must start without it. */
async function abis() {
  const { parseAbi } = await import('viem')
  return {
    registryAbi: parseAbi([
      'function registerTool(string metadataURI, bytes32 manifestHash, address accessPredicate) returns (uint256 toolId)',
      'function updateToolMetadata(uint256 toolId, string newURI, bytes32 newHash)',
      'function setAccessPredicate(uint256 toolId, address newPredicate)',
      'function deregisterTool(uint256 toolId)',
    ]),
    predicateAbi: parseAbi([
      'function setCollections(uint256 toolId, address[] collections)',
      'function getCollections(uint256 toolId) view returns (address[])',
    ]),
  }
}

function hashOf({ hash, slug }: AiToolDocument): `0x${string}` {
  if (isHex(hash)) return hash
  throw new Error(`The manifest of ${slug} has no hash.`)
}

function isHex(text: string | undefined): text is `0x${string}` {
  return text !== undefined && /^0x[0-9a-fA-F]+$/.test(text)
}

function lineOf({ kind, slug, toolId, onChain, wanted }: Difference): string {
  const name = toolId === null ? slug : `${slug} (tool ${toolId})`
  if (kind === 'missing') return `${kind.padEnd(17)}  ${name}`
  if (kind === 'unknown-extra') return `${kind.padEnd(17)}  ${name}: not offered here`
  return `${kind.padEnd(17)}  ${name}: ${onChain === '' ? 'none' : onChain} → ${wanted}`
}
