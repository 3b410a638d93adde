import { unavailableReasonOf } from '../../src/tool/availability.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { Config } from '../../src/platform/config.ts'
import { ConfigError } from '../../src/platform/config-error.ts'
import { createLog } from '../../src/platform/log.ts'
import { createToolRegistry } from '../../src/registry/client.ts'
import { aiToolDocumentsOf } from '../../src/registry/manifest.ts'
import { type Difference, planOf, type RegistryAction } from '../../src/registry/plan.ts'
import { createSender, readRegistryKey } from '../../src/registry/sender.ts'
import {
  isHex,
  readCollections,
  type Receipt,
  registeredIdOf,
  type Transaction,
  transactionOf,
  transactionsOf,
} from '../../src/registry/transactions.ts'
import { describeOf, settingsOf } from '../../src/server/from-config.ts'
import { createLocalServer, type LocalServer, type ServerParts } from '../../src/server/local.ts'
import type { Arguments } from './arguments.ts'
import { type CommandContext, ownToolSettings, type RunCommand } from './command.ts'

type Place = { readonly registry: `0x${string}`; readonly creator: string; readonly baseUrl: string }

const readMs = 8_000

/**
 * Shows how the registry differs from the definitions (`plan`), or says and does what is to be done about it (`sync`).
 */
export const run: RunCommand = async (context) => {
  const { args, out, note } = context
  const [verb] = args.positionals
  if (verb !== 'plan' && verb !== 'sync') {
    note(`tollgate registry: say what to do, "plan" or "sync"; "${verb}" is neither.`)
    return 2
  }
  const parts = await context.parts(createLog(note, systemClock.now), ownToolSettings(args))
  const place = placeOf(parts.config)
  const server = createLocalServer(parts)
  try {
    const look = await lookAt(server, parts.config, place)
    if (verb === 'sync') return await sync(context, parts, server, place, look)
    const { differences } = look.plan
    if (args.has('json')) {
      out(JSON.stringify({ inSync: differences.length === 0, ...place, ...summaryOf(look), differences }))
    } else {
      out(`Registry ${place.registry} at block ${look.blockNumber}, entries of ${place.creator} for ${place.baseUrl}:`)
      for (const difference of differences) out(`  ${lineOf(difference)}`)
      out(differences.length === 0 ? `  all ${look.tools} tools are as defined.` : `${differences.length} differences.`)
    }
    return differences.length === 0 ? 0 : 1
  } finally {
    await server.upstreams.close()
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

/**
 * How the registry differs from what this configuration serves.
 * @throws ConfigError where its entries cannot be known.
 */
export async function registryDrift(
  parts: ServerParts,
): Promise<{ readonly tools: number; readonly lines: readonly string[] }> {
  const place = placeOf(parts.config)
  const server = createLocalServer(parts)
  try {
    const { plan, tools } = await lookAt(server, parts.config, place)
    return { tools, lines: plan.differences.map((difference) => lineOf(difference)) }
  } finally {
    await server.upstreams.close()
  }
}

type Look = {
  readonly plan: ReturnType<typeof planOf>
  readonly slots: number
  readonly blockNumber: number
  readonly tools: number
}

async function lookAt(server: LocalServer, config: Config, { registry, creator, baseUrl }: Place): Promise<Look> {
  const settings = settingsOf(config, baseUrl)
  const offered = server.toolList.site.filter((tool) => unavailableReasonOf(tool, settings) === undefined)
  const tools = await aiToolDocumentsOf(offered, describeOf(config, config.payTo ?? creator, baseUrl))
  const { chain } = server.upstreams.bind(AbortSignal.timeout(readMs))
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

async function sync(
  { args, out, note }: CommandContext,
  { config, clock }: ServerParts,
  { upstreams }: LocalServer,
  place: Place,
  look: Look,
): Promise<number> {
  const json = args.has('json')
  const wanted = look.plan.actions.filter((action) => isWanted(action, args, look.plan.differences))
  const left = look.plan.actions.length - wanted.length
  if (!args.has('send')) {
    const transactions = await transactionsOf(wanted, place.registry, look.slots)
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
  const send = await createSender({
    key: await readRegistryKey(config.registryKeyFile),
    creator: place.creator,
    chainId: config.chainId,
    rpc: (method, params) => upstreams.bind(AbortSignal.timeout(readMs)).chain.request({ method, params }),
    clock,
  })
  const sent: { readonly description: string; readonly hash: string }[] = []
  const sendOne = async (transaction: Transaction): Promise<Receipt> => {
    const receipt = await send(transaction)
    sent.push({ description: transaction.description, hash: receipt.transactionHash })
    if (!json) out(`${transaction.description}\n   ${receipt.transactionHash}`)
    return receipt
  }
  for (const action of wanted) {
    const receipt = await sendOne(await transactionOf(action, place.registry))
    if (action.kind !== 'register' || action.tool.collections.length === 0) continue
    const toolId = registeredIdOf(receipt)
    await sendOne(await transactionOf({ kind: 'set-collections', toolId, tool: action.tool }, place.registry))
  }
  if (json) out(JSON.stringify({ sent: true, ...place, transactions: sent, left }))
  else out(sent.length === 0 ? 'Nothing to send.' : `${sent.length} transactions are in blocks.`)
  noteLeft(note, left)
  return 0
}

/**
 * What cannot be taken back, or may belong to another server of the same wallet, is done only where it is asked for.
 */
function isWanted(action: RegistryAction, args: Arguments, differences: readonly Difference[]): boolean {
  if (action.kind === 'deregister') return args.has('deregister')
  if (action.kind === 'register' || args.has('move')) return true
  return !differences.some(({ kind, toolId }) => kind === 'changed-uri' && toolId === Number(action.toolId))
}

function noteLeft(note: (text: string) => void, left: number): void {
  if (left === 0) return
  note(
    `${left} more only on request: --move takes over the entries of another origin, --deregister gives up entries of tools that are not offered here, for good.`,
  )
}

function lineOf({ kind, slug, toolId, onChain, wanted }: Difference): string {
  const name = toolId === null ? slug : `${slug} (tool ${toolId})`
  if (kind === 'missing') return `${kind.padEnd(17)}  ${name}`
  if (kind === 'unknown-extra') return `${kind.padEnd(17)}  ${name}: not offered here`
  return `${kind.padEnd(17)}  ${name}: ${onChain === '' ? 'none' : onChain} → ${wanted}`
}
