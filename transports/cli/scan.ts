import { open, readFile, rename, writeFile } from 'node:fs/promises'

import { CallError, InvalidInputError } from '../../src/errors.ts'
import { changesSince } from '../../tools/agentic/mcp-security-scanner/against.ts'
import { htmlReport } from '../../tools/agentic/mcp-security-scanner/html-report.ts'
import {
  differencesFrom,
  emptyLock,
  type Lock,
  readLock,
  withManifest,
} from '../../tools/agentic/mcp-security-scanner/lock.ts'
import type { Finding } from '../../tools/agentic/mcp-security-scanner/model.ts'
import { exitCodeOf, isSeverity, sarifReport, textReport } from '../../tools/agentic/mcp-security-scanner/report.ts'
import {
  answerOf,
  ManifestTooLargeError,
  NothingToScanError,
  type Origin,
  scan as scanManifest,
  withFindings,
} from '../../tools/agentic/mcp-security-scanner/scan.ts'
import { parseManifestText } from '../../tools/agentic/mcp-security-scanner/manifest-text.ts'
import { fetchSource } from '../../tools/agentic/mcp-security-scanner/source.ts'
import { openUpstreams, type UpstreamParts } from '../../src/server/from-config.ts'
import { packageInfo } from '../../src/platform/package-info.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'
import type { RunCommand } from './command.ts'

const mostBytes = 1_048_576
const timeoutMs = 15_000

/**
 * Scans a manifest file, a client's configuration or a server's address. The exit code is for CI: 1 where something is
 * found that is as bad as `--fail-on` says (high unless given), 0 otherwise.
 */
export const run: RunCommand = async ({ args, out, parts }) => {
  const failOn = args.valueOf('fail-on') ?? 'high'
  if (!isSeverity(failOn)) {
    throw new CallError('invalid_input', '--fail-on takes critical, high, medium, low or info.', { nextStep: '' })
  }
  const [target = ''] = args.positionals
  const { root, origin } = /^https?:\/\//.test(target)
    ? await fetched(target, await parts(createLog(() => {}, systemClock.now)))
    : await readFromFile(target)
  const former = args.valueOf('against')
  const scan = scanned(root, origin)
  const compared =
    former === undefined ? scan : withFindings(scan, since((await readFromFile(former)).root, root, scan.findings))
  const lockFile = args.valueOf('lock')
  const result =
    lockFile === undefined
      ? compared
      : withFindings(compared, await checkedWithLock(lockFile, target, root, args.has('update-lock')))
  if (args.has('sarif'))
    out(JSON.stringify(sarifReport(result, { source: target, version: packageInfo.version }), null, 2))
  else if (args.has('html')) out(htmlReport(result, { source: target }).trimEnd())
  else if (args.has('json')) out(JSON.stringify({ source: target, ...answerOf(result) }))
  else out(textReport(result, { source: target }).trimEnd())
  return exitCodeOf(result, failOn)
}

/**
 * What is not as the lock file has it. A manifest that is not in it yet is written into it, and with `--update-lock` one
 * that has changed as well: then whoever gives the command has read the change.
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
    throw new InvalidInputError('', `The file ${file} is no lock file.`, {
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

/** Editors keep their configuration as JSON with comments, so that is read too. */
function parsed(path: string, text: string): unknown {
  try {
    return parseManifestText(text)
  } catch (cause) {
    throw new InvalidInputError('', `The file ${path} is not JSON.`, {
      nextStep: 'Correct it, or name another file.',
      cause,
    })
  }
}
