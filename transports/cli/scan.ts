import { existsSync } from 'node:fs'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'

import { parse as parseToml } from 'smol-toml'

import { CallError, InvalidInputError } from '../../src/errors.ts'
import { findAcross, neighboursIn } from '../../tools/agentic/mcp-security-scanner/across.ts'
import { changesSince } from '../../tools/agentic/mcp-security-scanner/against.ts'
import { clientServersIn } from '../../tools/agentic/mcp-security-scanner/client-servers.ts'
import { htmlReport } from '../../tools/agentic/mcp-security-scanner/html-report.ts'
import {
  differencesFrom,
  emptyLock,
  type Lock,
  readLock,
  withManifest,
} from '../../tools/agentic/mcp-security-scanner/lock.ts'
import type { Finding } from '../../tools/agentic/mcp-security-scanner/model.ts'
import {
  exitCodeOf,
  isSeverity,
  sarifReport,
  type Scan,
  textReport,
} from '../../tools/agentic/mcp-security-scanner/report.ts'
import {
  answerOf,
  ManifestTooLargeError,
  NothingToScanError,
  type Origin,
  resultOf,
  scan as scanManifest,
  withFindings,
} from '../../tools/agentic/mcp-security-scanner/scan.ts'
import { parseManifestText } from '../../tools/agentic/mcp-security-scanner/manifest-text.ts'
import { quote } from '../../tools/agentic/mcp-security-scanner/normalise.ts'
import { fetchSource } from '../../tools/agentic/mcp-security-scanner/source.ts'
import { openUpstreams, type UpstreamParts } from '../../src/server/from-config.ts'
import { packageInfo } from '../../src/platform/package-info.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'
import type { Arguments } from './arguments.ts'
import type { Env, RunCommand } from './command.ts'
import { placesOf } from './scan-places.ts'

const mostBytes = 1_048_576
const timeoutMs = 15_000

/**
 * Scans manifest files, clients' configurations or servers' addresses; without any, the configurations of the usual
 * clients on this machine. The exit code is for CI: 1 where something is found that is as bad as `--fail-on` says (high
 * unless given), 2 where something could not be read, 0 otherwise.
 */
export const run: RunCommand = async ({ args, env, out, note, parts }) => {
  const failOn = args.valueOf('fail-on') ?? 'high'
  if (!isSeverity(failOn)) {
    throw new CallError('invalid_input', '--fail-on takes critical, high, medium, low or info.', { nextStep: '' })
  }
  const former = args.valueOf('against')
  if (former !== undefined && args.positionals.length !== 1) {
    throw new CallError('invalid_input', '--against compares one manifest with its former self.', { nextStep: '' })
  }
  const targets: Target[] = []
  let isMissing = false
  if (args.positionals.length === 0) {
    const found = await clientTargets(env, note)
    isMissing = found.isMissing
    targets.push(...found.targets)
  }
  for (const source of args.positionals) {
    const { root, origin } = /^https?:\/\//.test(source)
      ? await fetched(source, await parts(createLog(() => {}, systemClock.now)))
      : await readFromFile(source)
    targets.push({ source, root, origin })
  }
  if (args.has('start')) {
    const { started, isMissing: isAnyMissing } = await startedFrom(targets, note)
    isMissing ||= isAnyMissing
    targets.push(...started)
  }
  const scans: Scan[] = []
  for (const target of targets) scans.push({ source: target.source, result: await judged(target, former, args) })
  const across = acrossScan(targets)
  if (across !== undefined) scans.push(across)
  print(scans, args, out)
  if (scans.some(({ result }) => exitCodeOf(result, failOn) === 1)) return 1
  return isMissing ? 2 : 0
}

/** A manifest to scan, and where it came from. */
type Target = { readonly source: string; readonly root: unknown; readonly origin?: Origin | undefined }

async function judged({ source, root, origin }: Target, former: string | undefined, args: Arguments) {
  const scan = scanned(root, origin)
  const compared =
    former === undefined ? scan : withFindings(scan, since((await readFromFile(former)).root, root, scan.findings))
  const lockFile = args.valueOf('lock')
  if (lockFile === undefined) return compared
  return withFindings(compared, await checkedWithLock(lockFile, source, root, args.has('update-lock')))
}

/** What the servers of all targets do to each other, where there are several. */
function acrossScan(targets: readonly Target[]): Scan | undefined {
  const servers = targets.flatMap(({ source, root }) => neighboursIn(root, source))
  if (servers.length < 2) return undefined
  const findings = findAcross(servers)
  return { source: 'between servers', result: resultOf(`${servers.length} servers`, 0, findings) }
}

function print(scans: readonly Scan[], args: Arguments, out: (text: string) => void): void {
  if (args.has('sarif')) out(JSON.stringify(sarifReport(scans, packageInfo.version), null, 2))
  else if (args.has('html')) out(htmlReport(scans).trimEnd())
  else if (args.has('json')) {
    for (const { source, result } of scans) out(JSON.stringify({ source, ...answerOf(result) }))
  } else out(scans.map((scan) => textReport(scan.result, scan).trimEnd()).join('\n\n'))
}

/** The configurations of the usual clients that are on this machine, with nothing in them but their servers. */
async function clientTargets(
  env: Env,
  note: (text: string) => void,
): Promise<{ readonly targets: readonly Target[]; readonly isMissing: boolean }> {
  const targets: Target[] = []
  let isMissing = false
  for (const { client, path } of placesOf(process.platform, env['HOME'] ?? homedir(), process.cwd(), env)) {
    if (!existsSync(path)) continue
    try {
      const { root } = await readFromFile(path)
      const mcpServers = clientServersIn(root)
      const count = Object.keys(mcpServers).length
      note(`${client}: ${path}: ${count} ${count === 1 ? 'server' : 'servers'}`)
      if (count > 0) targets.push({ source: path, root: { mcpServers } })
    } catch (error) {
      isMissing = true
      note(`${client}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (targets.length === 0) note('No server is configured in any of the places where the usual clients keep them.')
  return { targets, isMissing }
}

/** The servers of configurations as they answer; only where the user asked for it, since it runs their programs. */
async function startedFrom(
  targets: readonly Target[],
  note: (text: string) => void,
): Promise<{ readonly started: readonly Target[]; readonly isMissing: boolean }> {
  const { manifestOfServer } = await import('./scan-start.ts')
  const started: Target[] = []
  let isMissing = false
  for (const { source, root } of targets) {
    for (const [name, entry] of Object.entries(clientServersIn(root))) {
      try {
        started.push({ source: `${source} → ${quote(name, 120)}`, root: await manifestOfServer(entry) })
      } catch (error) {
        isMissing = true
        note(`${source} → ${quote(name, 120)} was not read: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  return { started, isMissing }
}

/**
 * What is not as the lock file has it. A manifest that is not in it yet is written into it, and with `--update-lock`
 * one that has changed as well: then whoever gives the command has read the change.
 */
async function checkedWithLock(
  file: string,
  source: string,
  root: unknown,
  isUpdate: boolean,
): Promise<readonly Finding[]> {
  const lock = await lockIn(file)
  const differences = isUpdate ? undefined : differencesFrom(lock, source, root)
  if (differences !== undefined) return differences
  // Beside it first, so that an interrupted command leaves the former file whole.
  const beside = `${file}.${process.pid}.tmp`
  await writeFile(beside, `${JSON.stringify(withManifest(lock, source, root), null, 2)}\n`)
  await rename(beside, file)
  return []
}

async function lockIn(file: string): Promise<Lock> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new InvalidInputError('', `The lock file ${file} cannot be read.`, { nextStep: 'Check the path.', cause })
  })
  if (text === undefined) return emptyLock
  try {
    return readLock(JSON.parse(text))
  } catch (cause) {
    throw new InvalidInputError('', `The file ${file} is not a lock file.`, {
      nextStep: 'Name the file that --lock wrote, or a new one.',
      cause,
    })
  }
}

/** What changed since a manifest that was approved before. */
function since(former: unknown, root: unknown, findings: readonly Finding[]): readonly Finding[] {
  return changesSince({ root: former, findings: scanned(former, undefined).findings }, { root, findings })
}

function scanned(root: unknown, origin: Origin | undefined) {
  try {
    return scanManifest(root, undefined, origin)
  } catch (error) {
    if (error instanceof NothingToScanError || error instanceof ManifestTooLargeError) {
      throw new InvalidInputError('', error.message, {
        nextStep: 'Name a manifest, a tool list or a client configuration.',
      })
    }
    throw error
  }
}

async function fetched(
  url: string,
  parts: UpstreamParts,
): Promise<{ readonly root: unknown; readonly origin: Origin }> {
  // A user may well look at a server on the own machine; where that leads elsewhere, only the open web is followed.
  const upstreams = openUpstreams(parts, { refuseHosts: [], namedOrigin: URL.parse(url)?.origin })
  try {
    const { web } = upstreams.bind(AbortSignal.timeout(timeoutMs))
    const source = await fetchSource(web, url)
    return { root: source.root, origin: { url: source.url, isEndpoint: source.isEndpoint } }
  } finally {
    await upstreams.close()
  }
}

/** Reads no more than may be scanned, whatever the file's size. */
async function readFromFile(path: string): Promise<{ readonly root: unknown; readonly origin: undefined }> {
  const file = await open(path).catch((cause: unknown) => {
    throw new InvalidInputError('', `The file ${path} cannot be read.`, { nextStep: 'Check the path.', cause })
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0)
    if (bytesRead > mostBytes) {
      throw new InvalidInputError('', `The file ${path} is larger than ${mostBytes} bytes.`, {
        nextStep: 'Scan a part of it.',
      })
    }
    return { root: parsed(path, buffer.subarray(0, bytesRead).toString('utf8')), origin: undefined }
  } finally {
    await file.close()
  }
}

/** Editors keep their configuration as JSON with comments or as TOML, so these are read too. */
function parsed(path: string, text: string): unknown {
  const isToml = path.endsWith('.toml')
  try {
    return isToml ? parseToml(text) : parseManifestText(text)
  } catch (cause) {
    throw new InvalidInputError('', `The file ${path} is not ${isToml ? 'TOML' : 'JSON'}.`, {
      nextStep: 'Correct it, or name another file.',
      cause,
    })
  }
}
