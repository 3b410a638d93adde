import { clientServersIn } from './client-servers.ts'
import { findingOf } from './finding.ts'
import { nameKey, readManifest } from './manifest.ts'
import type { Leaf, ToolEntry } from './manifest.ts'
import type { Finding, RuleFacts } from './model.ts'
import { foldLookAlikes, quote } from './normalise.ts'
import { createReadings, isWorthReading } from './reading.ts'
import { weightOf } from './signals.ts'
import { wordsOf } from './words.ts'

/** A server beside others that one client uses. */
export type Neighbour = { readonly name: string; readonly root: unknown }

const ordersOther: RuleFacts = {
  id: 'pi-orders-neighbour',
  check: 'prompt-injection',
  severity: 'high',
  title: 'A server gives orders about a tool of another server',
  meaning: 'The text directs how a tool is used that belongs to another server of the same client.',
  remediation: 'Remove the server, or the text. A server documents its own tools.',
  references: ['OWASP MCP03', 'OWASP MCP06', 'CWE-1427'],
}

const namesOther: RuleFacts = {
  id: 'pi-names-neighbour',
  check: 'prompt-injection',
  severity: 'medium',
  title: 'A server speaks of a tool of another server',
  meaning: 'The text names a tool that belongs to another server of the same client.',
  remediation: 'Read the sentence. Where the servers are not made for each other, remove one of them.',
  references: ['OWASP MCP03'],
}

const sameName: RuleFacts = {
  id: 'pi-same-name-across',
  check: 'prompt-injection',
  severity: 'medium',
  title: 'Two servers have a tool of the same name',
  meaning: 'A model that wants the one may call the other, which then gets what was meant for the first.',
  remediation: 'Keep one of them, or have the client put the name of the server in front.',
  references: ['OWASP MCP03', 'OWASP MCP09'],
}

const likeName: RuleFacts = {
  id: 'pi-lookalike-across',
  check: 'prompt-injection',
  severity: 'high',
  title: 'The name of a tool looks like that of another server’s',
  meaning: 'The two names are spelled differently and look the same.',
  remediation: 'Remove the server whose tool does not need the name.',
  references: ['OWASP MCP03', 'OWASP MCP09', 'CWE-1007'],
}

/** The rules that findings between servers stand under. */
export const acrossRules: readonly RuleFacts[] = [ordersOther, namesOther, sameName, likeName]

/** The servers that a manifest holds: those of a client's configuration, each by itself, or the one it is. */
export function neighboursIn(root: unknown, source: string): readonly Neighbour[] {
  const servers = Object.entries(clientServersIn(root))
  if (servers.length === 0) return [{ name: source, root }]
  return servers.map(([name, entry]) => ({ name, root: entry }))
}

type Server = Neighbour & { readonly tools: readonly ToolEntry[]; readonly leaves: readonly Leaf[] }

/**
 * What servers of one client do to each other: orders about each other's tools ("shadowing"), and names that are the
 * same or look the same. The path of a finding begins with the name of the server that it is about.
 */
export function findAcross(neighbours: readonly Neighbour[]): readonly Finding[] {
  const servers = neighbours.map((one): Server => {
    const { tools, leaves } = readManifest(one.root)
    return { ...one, tools, leaves }
  })
  return [...namesAcross(servers), ...servers.flatMap((server) => [...textsAcross(server, servers)])]
}

function* namesAcross(servers: readonly Server[]): Iterable<Finding> {
  const known = new Map<string, { readonly server: Server; readonly tool: ToolEntry }>()
  for (const server of servers) {
    for (const tool of server.tools) {
      const key = shapeOf(tool.name)
      const before = known.get(key)
      if (before === undefined) known.set(key, { server, tool })
      else if (before.server !== server) {
        const isSame = before.tool.name === tool.name
        const rule = isSame ? sameName : likeName
        yield findingOf(rule, {
          path: placeIn(server, tool.path),
          text: isSame ? tool.name : `${tool.name} / ${before.tool.name}`,
          tool: tool.name,
          detail: `${rule.meaning} The other server is "${shown(before.server.name)}".`,
        })
      }
    }
  }
}

/**
 * What a name looks like: letters of other scripts, and digits that pass for letters, are the letter they look like.
 */
function shapeOf(name: string): string {
  return nameKey(foldLookAlikes(name)).replaceAll('0', 'o').replaceAll(/[1l]/g, 'i')
}

/** A name of fewer words than this, or one that this server has as well, may be any word of a sentence. */
const fewestWords = 2

function* textsAcross(server: Server, servers: readonly Server[]): Iterable<Finding> {
  const own = new Set(server.tools.map(({ name }) => nameKey(name)))
  const others = new Map(
    servers
      .filter((other) => other !== server)
      .flatMap((other) =>
        other.tools
          .filter(({ name }) => wordsOf(name).length >= fewestWords && !own.has(nameKey(name)))
          .map(({ name }) => [name.toLowerCase(), other.name] as const),
      ),
  )
  if (others.size === 0) return
  const readings = createReadings(readManifest(server.root))
  for (const leaf of server.leaves) {
    if (!isWorthReading(leaf) || leaf.path.endsWith('.name')) continue
    for (const { sentences } of readings.of(leaf.text)) {
      for (const { text, signals } of sentences) {
        const named = text
          .toLowerCase()
          .match(/[a-z0-9][\w.-]*[a-z0-9]/g)
          ?.find((word) => others.has(word))
        if (named === undefined) continue
        const rule = directs.test(text) || weightOf(signals) > 0 ? ordersOther : namesOther
        yield findingOf(rule, {
          path: placeIn(server, leaf.path),
          text,
          tool: leaf.tool,
          detail: `${rule.meaning} "${shown(named)}" is a tool of the server "${shown(others.get(named) ?? '')}".`,
        })
      }
    }
  }
}

/** Words that say what is to be done, and when. */
const directs =
  /\b(?:must|always|never|before|after|first|instead|whenever|every time|do not|don't|should|call|use|pass|add|set|copy|include)\b/i

function placeIn({ name }: Neighbour, path: string): string {
  return `${shown(name)}: ${path}`
}

/** A name of a configuration as a report may print it. */
function shown(name: string): string {
  return quote(name, 120)
}
