import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { firstJsonLine, node, pathOf, startSandboxProcess } from '../harness/sandbox-process.ts'
import { sharedByTests } from '../harness/shared.ts'

const suite = pathOf('node_modules/@modelcontextprotocol/conformance/dist/index.js')
const expectedFailures = pathOf('test/conformance/expected-failures.yaml')
// The suite writes its results into the folder it runs in.
const folder = mkdtempSync(join(tmpdir(), 'tollgate-conformance-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Run = { readonly exitCode: number; readonly report: string }

/** Runs the published suite against a server. */
function conformance(args: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      node,
      [suite, 'server', ...args],
      { cwd: folder, env: { ...process.env, NO_COLOR: '1' }, timeout: 50_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : Number(error.code ?? 1), report: stdout + stderr })
      },
    )
  })
}

/** The scenarios that a report counts as passed, with at least one check. */
const passedIn = (report: string): readonly (string | undefined)[] =>
  [...report.slice(report.indexOf('=== SUMMARY ===')).matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed$/gm)].map(
    ([, name]) => name,
  )

describe('the real server passes what the suite asks of any server', () => {
  const server = sharedByTests(async (atEnd) => {
    const started = await startSandboxProcess()
    atEnd(started.stop)
    return started
  })

  // All scenarios of a revision run at once. Those that need the suite's own tools fail here and pass below.
  it.each([
    [
      '2025-11-25',
      ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection', 'resources-list', 'prompts-list'],
    ],
    [
      '2026-07-28',
      [
        'tools-list',
        'caching',
        'http-header-validation',
        'dns-rebinding-protection',
        'sep-2164-resource-not-found',
        'resources-list',
        'prompts-list',
        'server-sse-multiple-streams',
        'input-required-result-unsupported-methods',
      ],
    ],
  ] as const)('%s', async (version, scenarios) => {
    // A server that has died passes some scenarios, so it is asked before and after.
    expect(server().isAlive()).toBe(true)
    const { report } = await conformance(['--url', server().mcpUrl, '--suite', 'all', '--spec-version', version])
    expect(server().isAlive()).toBe(true)
    expect(passedIn(report), report).toEqual(expect.arrayContaining([...scenarios]))
  })
})

describe('the same endpoint with the fixtures passes every requirement', () => {
  let child: ChildProcess
  let mcpUrl = ''
  let errors = ''
  beforeAll(async () => {
    child = spawn(node, [pathOf('test/conformance/fixture-server.ts')], { stdio: ['pipe', 'pipe', 'pipe'] })
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString('utf8')
    })
    mcpUrl = ((await firstJsonLine(child, () => errors)) as { mcpUrl: string }).mcpUrl
  })
  afterAll(() => child.kill())

  it.each([
    ['2026-07-28', 37, []],
    // Scenarios that are expected to fail need a session, which this server has not. They do not count as passed.
    ['2025-11-25', 30 - 5, ['--expected-failures', expectedFailures]],
  ] as const)('%s', async (revision, required, more) => {
    expect(child.exitCode).toBeNull()
    const { exitCode, report } = await conformance(['--url', mcpUrl, '--requirements', revision, ...more])
    expect(child.exitCode).toBeNull()
    expect(exitCode, report).toBe(0)
    const summary = report.slice(report.indexOf('=== SUMMARY ==='))
    const unscored = [...summary.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name)
    expect(passedIn(report).filter((name) => !unscored.includes(name))).toHaveLength(required)
  })
})
