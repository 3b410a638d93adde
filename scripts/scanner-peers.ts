/**
 * Compares this scanner with others, by source and by category, and prints that section of
 * docs/tools/mcp-security-scanner.md.
 *
 *     TOLLGATE_SCANNER_CORPUS=<folder> node scripts/scanner-peers.ts [--write] [--measure [--in folder] [--only name]]
 *         [--findings name=file]
 *
 * What the others find is kept in scanner-peers.json as counts, so that a change of our rules is compared in seconds.
 * `--measure` counts again: it installs the peers that npm has into a temporary folder, each runs in a process of its
 * own without network, and a record that takes it longer than the deadline counts as one in which it found nothing.
 * `--findings` counts what a peer that npm does not have found elsewhere: one JSON a line, { id, findings: [{ severity,
 * checks }] }. `--write` puts the section into the document. The corpus is the one of scanner-score.ts; where it is
 * absent the command says so and ends with 0.
 *
 * Severities are the peer's own words. Categories are mapped in the peer's favour: a class that could be any of ours
 * ("tool poisoning") counts as whatever the record wants, written "*". Every peer gets the manifest in the form that it
 * reads: its tools, or a client's configuration. What a peer says about a configuration that we made up around the
 * tools is not held against it.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { z } from 'zod'

import { checkGroups, type Severity } from '../tools/agentic/mcp-security-scanner/model.ts'
import { scan } from '../tools/agentic/mcp-security-scanner/scan.ts'

const deadlineMs = 60_000
const keptAt = new URL('scanner-peers.json', import.meta.url)
const documentAt = new URL('../docs/tools/mcp-security-scanner.md', import.meta.url)
const [opening, closing] = ['<!-- made by scripts/scanner-peers.ts -->', '<!-- end of scripts/scanner-peers.ts -->']

/** How each peer that npm has reads a manifest. The word "run" is the peer's own entry, the rest is mapping. */
const adapters: Readonly<
  Record<string, { readonly packages: Readonly<Record<string, string>>; readonly source: string }>
> = {
  atr: {
    packages: { 'agent-threat-rules': '4.0.0' },
    // An event of this type is judged by the rules of every kind, and each tool is shown as what a server sent. Shown
    // as the arguments of a call it finds half as much again and flags four times as many.
    source: `
import { ATREngine } from 'agent-threat-rules'
import { toolsOf } from './shapes.mjs'
const engine = new ATREngine({})
await engine.loadRules()
const checks = {
  'prompt-injection': ['prompt-injection'], 'agent-manipulation': ['prompt-injection'],
  'data-poisoning': ['prompt-injection'], 'model-abuse': ['prompt-injection'],
  'context-exfiltration': ['exfiltration', 'resource-access'],
  'privilege-escalation': ['privilege-escalation', 'scope-permissions'],
  'excessive-autonomy': ['privilege-escalation', 'scope-permissions'],
}
const textsOf = (manifest) => {
  const tools = toolsOf(manifest)
  return tools.length > 0 ? tools : [{ name: 'config', description: JSON.stringify(manifest) }]
}
export const scan = (manifest) =>
  textsOf(manifest).flatMap(({ name, description = '' }) =>
    engine
      .evaluate({
        type: 'mcp_exchange', timestamp: '2026-01-01T00:00:00Z', content: description,
        fields: { tool_name: name, tool_description: description, tool_response: description, content: description },
      })
      .map(({ rule }) => ({ severity: rule.severity, checks: checks[rule.tags.category] ?? '*' })))
`,
  },
  'agent-security-scanner': {
    packages: { 'agent-security-scanner-mcp': '4.5.9' },
    source: `
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scanMcpServer as run } from 'agent-security-scanner-mcp/src/tools/scan-mcp.js'
import { folder, toolsOf } from './shapes.mjs'
const severities = { ERROR: 'high', WARNING: 'medium' }
export const scan = async (manifest) => {
  writeFileSync(join(folder, 'server.json'), JSON.stringify({ ...manifest, tools: toolsOf(manifest) }))
  const { content } = await run({ server_path: folder, manifest: true, verbosity: 'full' })
  const { findings = [] } = JSON.parse(content[0].text)
  return findings.map(({ severity }) => ({ severity: severities[severity] ?? 'low', checks: '*' }))
}
`,
  },
  agentseal: {
    packages: { agentseal: '0.9.2', '@modelcontextprotocol/sdk': '1.32.2' },
    // It asks live servers, so the client that it uses is made to answer with the tools of the record. Its check of
    // configurations is left out where it would only speak of what we made up.
    source: `
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { MCPConfigChecker } from 'agentseal'
import { ScanMCP } from './node_modules/agentseal/dist/scan-mcp-NDDHRBKV.js'
import { nameOf, serversOf, toolsOf } from './shapes.mjs'
let tools = []
Client.prototype.connect = async () => {}
Client.prototype.close = async () => {}
Client.prototype.listTools = async () => ({ tools })
const checks = {
  'MCPR-101': ['exfiltration'], 'MCPR-102': ['privilege-escalation'], 'MCPR-103': ['resource-access', 'exfiltration'],
  'MCPR-104': ['resource-access'], 'MCPR-105': ['resource-access', 'exfiltration'],
}
export const scan = async (manifest) => {
  tools = toolsOf(manifest)
  const { runtimeResults, toxicFlows } = await new ScanMCP().run([{ name: nameOf(manifest), command: 'node' }])
  const servers = Object.entries(serversOf(manifest)).map(([name, server]) => ({ name, ...server }))
  return [
    ...runtimeResults.flatMap(({ findings }) => findings),
    ...toxicFlows.map(({ risk_level: severity }) => ({ severity })),
    ...servers.flatMap((server) => new MCPConfigChecker().check(server).findings),
  ].map(({ severity, code }) => ({ severity, checks: checks[code] ?? '*' }))
}
`,
  },
  agentshield: {
    packages: { 'ecc-agentshield': '1.6.0' },
    // The package is a command; what the command calls is exported from a copy, to start it once and not 1,500 times.
    source: `
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configOf, folder, withoutOurs } from './shapes.mjs'
const at = new URL('./node_modules/ecc-agentshield/dist/', import.meta.url)
const command = readFileSync(new URL('index.js', at), 'utf8')
writeFileSync(new URL('peer.mjs', at), command.replace(/\\nprogram\\.parse\\(\\);/, '\\nexport { scan };'))
const { scan: run } = await import(new URL('peer.mjs', at))
export const scan = (manifest) =>
  withoutOurs(manifest, (shown) => {
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify(configOf(shown), null, 2))
    return run(folder, {}).findings.map(({ id, severity }) => ({ id, severity, checks: '*' }))
  })
`,
  },
  'mcp-scan': {
    packages: { 'mcp-scan': '2.0.8' },
    source: `
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runScan as run } from 'mcp-scan'
import { configOf, folder, serversOf, withoutOurs } from './shapes.mjs'
export const scan = (manifest) =>
  withoutOurs(manifest, async (shown) => {
    // It reads tools under "schema" of a server.
    const servers = Object.entries(serversOf(configOf(shown))).map(([name, { tools, ...server }]) => [
      name, tools === undefined ? server : { ...server, schema: { tools } },
    ])
    const config = join(folder, 'mcp.json')
    writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(servers) }))
    const { results } = await run({ config, silent: true, offline: true, ci: true })
    return results
      .flatMap(({ findings }) => findings)
      .map(({ id, severity }) => ({ id, severity: severity.toLowerCase(), checks: '*' }))
  })
`,
  },
  ferret: {
    packages: { 'ferret-scan': '2.10.0' },
    source: `
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_CONFIG, scan as run } from 'ferret-scan'
import { configOf, folder, withoutOurs } from './shapes.mjs'
export const scan = (manifest) =>
  withoutOurs(manifest, async (shown) => {
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify(configOf(shown), null, 2))
    const { findings } = await run({ ...DEFAULT_CONFIG, paths: [folder], mcpValidation: true, concurrency: 1, ci: true })
    return findings.map(({ ruleId, severity }) => ({ id: ruleId, severity: severity.toLowerCase(), checks: '*' }))
  })
`,
  },
  agentaudit: {
    packages: { agentaudit: '3.14.0' },
    source: `
import { scanTools as run } from './node_modules/agentaudit/tool-poisoning-detector.mjs'
import { nameOf, toolsOf } from './shapes.mjs'
const severities = { warning: 'low' }
export const scan = (manifest) =>
  run(toolsOf(manifest), { server_name: nameOf(manifest) }).findings.map(({ severity }) => ({
    severity: severities[severity] ?? severity, checks: '*',
  }))
`,
  },
}

const shapes = `
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
export const folder = mkdtempSync(join(process.env.HOME ?? tmpdir(), 'record-'))
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
export const toolsOf = (manifest) => {
  const tools = Array.isArray(manifest) ? manifest : (manifest.tools ?? manifest.result?.tools ?? [])
  return Array.isArray(tools) ? tools.filter(isObject) : []
}
export const nameOf = ({ serverInfo, initialize, name }) => serverInfo?.name ?? initialize?.serverInfo?.name ?? name ?? 'server'
export const serversOf = ({ mcpServers, servers }) => mcpServers ?? servers ?? {}
const isMade = (manifest) => Object.keys(serversOf(manifest)).length === 0
export const configOf = (manifest) => {
  if (!isMade(manifest)) return manifest
  const { instructions, initialize, description, server } = manifest
  const launch = server?.mcp_config ?? { command: 'node', args: ['server.js'] }
  const text = instructions ?? initialize?.instructions ?? description
  return { mcpServers: { [nameOf(manifest)]: { ...launch, description: text, tools: toolsOf(manifest) } } }
}
/** What is found in the record and would not be found in the same configuration around nothing. */
export const withoutOurs = async (manifest, run) => {
  const findings = await run(manifest)
  if (!isMade(manifest)) return findings
  const ours = new Set((await run({ name: 'server' })).map(({ id }) => id))
  return findings.filter(({ id }) => !ours.has(id))
}
`

// The peers print and would like to ask the net. Neither is wanted here.
const host = `
import { Socket } from 'node:net'
const refuse = () => { throw new Error('No network.') }
Socket.prototype.connect = refuse
globalThis.fetch = async () => refuse()
for (const name of ['log', 'info', 'warn', 'error', 'debug']) console[name] = () => {}
process.stdout.write = process.stderr.write = () => true
const { scan } = await import(process.argv[2])
process.on('message', async ({ manifest }) => {
  const findings = await Promise.resolve().then(() => scan(manifest)).catch((cause) => ({ error: String(cause) }))
  process.send(findings)
})
process.send('ready')
`

const findingsSchema = z.array(
  z.object({
    severity: z.string().transform((word) => word.toLowerCase()),
    checks: z.union([z.literal('*'), z.array(z.string())]),
  }),
)
type Findings = z.output<typeof findingsSchema>

const recordSchema = z.looseObject({
  id: z.string(),
  label: z.enum(['malicious', 'vulnerable', 'benign']),
  source_group: z.string(),
  acceptable_categories: z.array(z.string()).nullish(),
  expected_categories: z.array(z.string()).nullish(),
  manifest: z.unknown(),
})
type CorpusRecord = z.output<typeof recordSchema>

/** How many records of a row were found, or flagged, at medium or worse and at high or worse. */
const countSchema = z.tuple([z.number(), z.number()])
const keptSchema = z.array(
  z.object({
    name: z.string(),
    run: z.string(),
    records: z.number(),
    failed: z.number(),
    counts: z.record(z.string(), countSchema),
  }),
)
type Peer = z.output<typeof keptSchema>[number]

type Row = {
  readonly key: string
  readonly cells: readonly string[]
  readonly kind: 'found' | 'flagged'
  readonly records: readonly CorpusRecord[]
  readonly counts: (record: CorpusRecord, finding: Findings[number]) => boolean
}

const { values } = parseArgs({
  options: {
    measure: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    in: { type: 'string' },
    only: { type: 'string', multiple: true },
    findings: { type: 'string', multiple: true, default: [] },
  },
})
const corpus = join(process.env['TOLLGATE_SCANNER_CORPUS'] ?? '', 'dev.jsonl')

if (process.env['TOLLGATE_SCANNER_CORPUS'] === undefined || !existsSync(corpus)) {
  console.log('Skipped: TOLLGATE_SCANNER_CORPUS does not name a folder with dev.jsonl.')
} else {
  const records = linesOf(corpus).map((line) => recordSchema.parse(line))
  const rows = rowsOf(records)
  const ours = countsOf(rows, new Map(records.map(({ id, manifest }) => [id, ownFindings(manifest)])))
  const peers = await refreshed(keptPeers(), records, rows)
  const stale = peers.filter((peer) => peer.records !== records.length).map(({ name }) => name)
  if (stale.length > 0) throw new Error(`Counted on another corpus, so not comparable: ${stale.join(', ')}.`)
  const section = sectionOf(rows, ours, peers)
  console.log(section)
  if (values.write) await write(section)
}

function rowsOf(records: readonly CorpusRecord[]): readonly Row[] {
  const bad = records.filter(({ label }) => label !== 'benign')
  const honest = records.filter(({ label }) => label === 'benign')
  const accepted = (record: CorpusRecord, { checks }: Findings[number]) =>
    checks === '*' || checks.some((check) => record.acceptable_categories?.includes(check) === true)
  const bySize = <T extends Pick<Row, 'records'>>(found: readonly T[]) =>
    found.toSorted((a, b) => b.records.length - a.records.length)
  return [
    ...['malicious', 'vulnerable'].map((label): Row => ({
      key: `all ${label}`,
      cells: ['all', label],
      kind: 'found',
      records: bad.filter((record) => record.label === label),
      counts: accepted,
    })),
    { key: 'all honest', cells: ['all'], kind: 'flagged', records: honest, counts: () => true },
    ...bySize(
      groups(bad, ({ label, source_group }) => `${source_group}|${label}`).map(([key, members]): Row => ({
        key: `source ${key.replace('|', ' ')}`,
        cells: key.split('|'),
        kind: 'found',
        records: members,
        counts: accepted,
      })),
    ),
    ...checkGroups.flatMap((check): readonly Row[] => {
      const members = bad.filter(({ expected_categories }) => expected_categories?.includes(check) === true)
      const exact: Row['counts'] = (_, { checks }) => checks === '*' || checks.includes(check)
      return [
        { key: `exactly ${check}`, cells: [check, 'exactly this'], kind: 'found', records: members, counts: exact },
        {
          key: `accepted ${check}`,
          cells: [check, 'an accepted one'],
          kind: 'found',
          records: members,
          counts: accepted,
        },
      ]
    }),
    ...bySize(
      groups(honest, ({ source_group }) => source_group).map(([source, members]): Row => ({
        key: `honest ${source}`,
        cells: [source],
        kind: 'flagged',
        records: members,
        counts: () => true,
      })),
    ),
  ]
}

function groups(records: readonly CorpusRecord[], keyOf: (record: CorpusRecord) => string) {
  const found = new Map<string, CorpusRecord[]>()
  for (const record of records) found.set(keyOf(record), [...(found.get(keyOf(record)) ?? []), record])
  return [...found]
}

function countsOf(rows: readonly Row[], found: ReadonlyMap<string, Findings>): Peer['counts'] {
  const count = ({ records, counts }: Row, words: readonly string[]) =>
    records.filter((record) =>
      (found.get(record.id) ?? []).some((finding) => words.includes(finding.severity) && counts(record, finding)),
    ).length
  const high = ['high', 'critical']
  return Object.fromEntries(rows.map((row) => [row.key, [count(row, ['medium', ...high]), count(row, high)]]))
}

function ownFindings(manifest: unknown): Findings {
  return scan(manifest).findings.map(({ severity, check }: { severity: Severity; check: string }) => ({
    severity,
    checks: [check],
  }))
}

function keptPeers(): readonly Peer[] {
  return existsSync(keptAt) ? keptSchema.parse(JSON.parse(readFileSync(keptAt, 'utf8'))) : []
}

/** The kept counts, with those in place of which new ones were asked for. */
async function refreshed(kept: readonly Peer[], records: readonly CorpusRecord[], rows: readonly Row[]) {
  const fresh = [
    ...values.findings.map((given): Peer => {
      const [name = '', file = ''] = given.split('=')
      const line = z.object({ id: z.string(), findings: findingsSchema })
      const found = new Map(
        linesOf(file)
          .map((one) => line.parse(one))
          .map(({ id, findings }) => [id, findings]),
      )
      return {
        name,
        run: 'its rules',
        records: records.length,
        failed: records.length - found.size,
        counts: countsOf(rows, found),
      }
    }),
    ...(values.measure ? await measured(records, rows) : []),
  ]
  if (fresh.length === 0) return kept
  const renewed = new Set(fresh.map(({ name }) => name))
  const all = [...kept.filter(({ name }) => !renewed.has(name)), ...fresh]
  const sorted = all.toSorted((a, b) => (b.counts['all malicious']?.[0] ?? 0) - (a.counts['all malicious']?.[0] ?? 0))
  await writeFile(keptAt, `${JSON.stringify(sorted, null, 2).replaceAll(/\[\s+(\d+),\s+(\d+)\s+\]/g, '[$1, $2]')}\n`)
  return sorted
}

async function measured(records: readonly CorpusRecord[], rows: readonly Row[]): Promise<readonly Peer[]> {
  const chosen = Object.entries(adapters).filter(([name]) => values.only?.includes(name) ?? true)
  const folder = values.in === undefined ? await mkdtemp(join(tmpdir(), 'scanner-peers-')) : resolve(values.in)
  try {
    if (!existsSync(join(folder, 'node_modules'))) {
      await mkdir(folder, { recursive: true })
      const dependencies = Object.assign({}, ...Object.values(adapters).map(({ packages }) => packages))
      await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
      await install(folder)
    }
    await writeFile(join(folder, 'shapes.mjs'), shapes)
    await writeFile(join(folder, 'host.mjs'), host)
    return await Promise.all(
      chosen.map(async ([name, { packages, source }]) => {
        await writeFile(join(folder, `peer-${name}.mjs`), source)
        const { found, failed } = await findingsOf(folder, name, records)
        const run = Object.entries(packages)[0]?.join('@') ?? ''
        return { name, run, records: records.length, failed, counts: countsOf(rows, found) }
      }),
    )
  } finally {
    if (values.in === undefined) await rm(folder, { recursive: true, force: true })
  }
}

async function findingsOf(folder: string, name: string, records: readonly CorpusRecord[]) {
  const found = new Map<string, Findings>()
  let failed = 0
  let child: ChildProcess | undefined
  for (const { id, manifest } of records) {
    child ??= await started(folder, name)
    child.send({ manifest })
    const answer = await next(child)
    const findings = findingsSchema.safeParse(answer)
    if (findings.success) found.set(id, findings.data)
    else failed += 1
    // Only silence, not an error that it told of, is a reason to start it anew.
    if (answer === undefined) {
      child.kill('SIGKILL')
      child = undefined
    }
  }
  child?.kill('SIGKILL')
  console.error(`${name}: ${found.size} records read, ${failed} not.`)
  return { found, failed }
}

async function started(folder: string, name: string): Promise<ChildProcess> {
  // A home of its own and nothing else of the environment: some peers keep state and look for keys.
  const home = await mkdtemp(join(folder, 'home-'))
  const child = fork(join(folder, 'host.mjs'), [`./peer-${name}.mjs`], {
    cwd: home,
    env: { HOME: home, PATH: process.env['PATH'] },
    stdio: 'ignore',
  })
  if ((await next(child)) !== 'ready') throw new Error(`${name} does not start.`)
  return child
}

/** The next message of a child, or undefined when it says nothing in time or ends. */
function next(child: ChildProcess): Promise<unknown> {
  return new Promise((done) => {
    const timer = setTimeout(() => finish(undefined), deadlineMs)
    const end = () => finish(undefined)
    const finish = (message: unknown) => {
      clearTimeout(timer)
      child.off('message', finish)
      child.off('exit', end)
      done(message)
    }
    child.once('message', finish)
    child.once('exit', end)
  })
}

function install(cwd: string): Promise<void> {
  return new Promise((done, reject) => {
    const child = spawn('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) done()
      else reject(new Error('The packages could not be installed.'))
    })
  })
}

function sectionOf(rows: readonly Row[], ours: Peer['counts'], peers: readonly Peer[]): string {
  const of = (row: Row, counts: Peer['counts'], at: 0 | 1) => counts[row.key]?.[at] ?? 0
  const share = (row: Row, count: number) => {
    const percent = (100 * count) / row.records.length
    return Number.isInteger(percent) ? String(percent) : percent.toFixed(1)
  }
  const best = (row: Row, at: 0 | 1) => {
    const counts = peers.map((peer) => of(row, peer.counts, at))
    return row.kind === 'found' ? Math.max(...counts) : Math.min(...counts)
  }
  const holders = (row: Row, at: 0 | 1) => {
    const names = peers.filter((peer) => of(row, peer.counts, at) === best(row, at)).map(({ name }) => name)
    return names.length > 2 ? `(${names.length} of ${peers.length})` : `(${names.join(', ')})`
  }
  /** Ahead, level or behind; nobody can be ahead of all found or of none flagged. */
  const verdict = (row: Row, at: 0 | 1) => {
    const own = of(row, ours, at)
    const ahead = row.kind === 'found' ? own - best(row, at) : best(row, at) - own
    const isPerfect = own === (row.kind === 'found' ? row.records.length : 0)
    return isPerfect || ahead > 0 ? '' : ahead === 0 ? ' (level)' : ' (behind)'
  }
  const kinds: readonly { readonly title: string; readonly head: readonly string[]; readonly is: RegExp }[] = [
    { title: 'Found, by source', head: ['Source', 'Label'], is: /^(?:source|all (?:malicious|vulnerable))/ },
    { title: 'Found, by category', head: ['Category', 'Named'], is: /^(?:exactly|accepted)/ },
    { title: 'Honest manifests flagged, by source', head: ['Honest source'], is: /^(?:honest|all honest)/ },
  ]
  const summary = table(
    ['Scanner', 'Run as', 'Malicious found', 'Vulnerable found', 'Honest flagged'],
    [{ name: '**this scanner**', run: '', counts: ours }, ...peers].map(({ name, run, counts }) => [
      name,
      run,
      ...rows
        .filter(({ key }) => key.startsWith('all'))
        .map((row) => `${share(row, of(row, counts, 0))} / ${share(row, of(row, counts, 1))}`),
    ]),
  )
  const compact = kinds.map(({ title, head, is }) =>
    [
      `#### ${title}\n`,
      table(
        [...head, 'Records', 'This scanner', 'Best other, medium', 'Best other, high'],
        rows
          .filter(({ key, records }) => is.test(key) && records.length > 0)
          .map((row) => [
            ...row.cells,
            String(row.records.length),
            `${share(row, of(row, ours, 0))}${verdict(row, 0)} / ${share(row, of(row, ours, 1))}${verdict(row, 1)}`,
            `${share(row, best(row, 0))} ${holders(row, 0)}`,
            `${share(row, best(row, 1))} ${holders(row, 1)}`,
          ]),
      ),
    ].join('\n'),
  )
  const full = kinds.map(({ title, head, is }) =>
    [
      `#### ${title}: every scanner\n`,
      table(
        [...head, '**this scanner**', ...peers.map(({ name }) => name)],
        rows
          .filter(({ key, records }) => is.test(key) && records.length > 0)
          .map((row) => [
            ...row.cells,
            ...[ours, ...peers.map(({ counts }) => counts)].map(
              (counts) => `${share(row, of(row, counts, 0))} / ${share(row, of(row, counts, 1))}`,
            ),
          ]),
      ),
    ].join('\n'),
  )
  return [summary, ...compact, ...full].join('\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n') + '\n'
}

async function write(section: string): Promise<void> {
  const document = readFileSync(documentAt, 'utf8')
  const [before, rest] = document.split(opening)
  const after = rest?.split(closing)[1]
  if (before === undefined || after === undefined) throw new Error('The document has no place for the section.')
  await writeFile(documentAt, `${before}${opening}\n\n${section}\n${closing}${after}`)
}

function linesOf(path: string): readonly unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
