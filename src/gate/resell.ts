import { ConfigError } from '../platform/config-error.ts'
import type { Tool } from '../tool/tool.ts'
import { type GateFile, readGateFile } from './gate-file.ts'
import { accessIn, type GateListing, restOf, shown } from './listing.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The prices that gate files name now, for tools that are served already. */
export type ResoldGates = {
  readonly tools: readonly Tool[]
  /** Files in which more than prices has changed, which is taken at the next start. */
  readonly waiting: readonly string[]
}

/** Reads the gate files of a running server again; the servers behind are not asked. @throws ConfigError */
export async function resellGates(
  listings: readonly GateListing[],
  tools: readonly Tool[],
  env: Env,
): Promise<ResoldGates> {
  const read = await Promise.all(
    listings.map(async (listing) => resell(listing, await readGateFile(listing.file, env))),
  )
  const accesses = new Map(read.flatMap(({ prices }) => prices))
  return {
    tools: tools.map((tool): Tool => ({ ...tool, access: accesses.get(tool.slug) ?? tool.access })),
    waiting: read.flatMap(({ file, isOther }) => (isOther ? [file] : [])),
  }
}

function resell({ file, tools, left, rest }: GateListing, gate: GateFile) {
  const known = new Set([...tools.map(({ remoteName }) => shown(remoteName)), ...left.map(({ name }) => name)])
  const problems = Object.keys(gate.tools)
    .filter((name) => !known.has(shown(name)))
    .map((name) => `${file}: tools.${shown(name)}: the server has no such tool`)
  if (problems.length > 0) throw new ConfigError(problems)
  const prices = tools.flatMap(({ remoteName, slug }) => {
    const access = accessIn(gate, remoteName)
    return access === undefined ? [] : [[slug, access] as const]
  })
  // What is not sold any more, or newly sold, is another list of tools.
  return { file, prices, isOther: prices.length < tools.length || restOf(gate) !== rest }
}
