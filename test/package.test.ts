import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { toolPlaces } from '../tools/load.ts'
import { packageJson } from './harness/describe-config.ts'
import { type Installed, installPackage, type Packed, packPackage } from './harness/packed.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))

/** The Node that the machine has, whatever Node the project brings for itself. */
const machineNode = [process.env['npm_node_execpath'], '/usr/bin/node'].find(
  (path) => path !== undefined && existsSync(path),
)
const nodes = [...new Set([process.execPath, ...(machineNode === undefined ? [] : [machineNode])])]

let folder: string
let packed: Packed
let installed: Installed

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-package-'))
  packed = await packPackage(folder)
  installed = await installPackage(packed.tarball, join(folder, 'project'), ['--prefer-offline'])
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

type Answer = { readonly id?: number; readonly result?: Record<string, unknown> }

/** Talks to a stdio server as a client does, closes stdin, and returns the answers and how the server ended. */
async function talk(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { TOLLGATE_RECORDED: _recorded, ...clean } = process.env
  const server = spawn(command, args, { cwd: folder, env: { ...clean, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => server.once('close', resolve))
  const answers: Answer[] = []
  const send = (message: unknown): boolean => server.stdin.write(`${JSON.stringify(message)}\n`)
  send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })
  for await (const line of createInterface(server.stdout)) {
    const answer = JSON.parse(line) as Answer
    answers.push(answer)
    if (answer.id === 1) {
      send({ jsonrpc: '2.0', method: 'notifications/initialized' })
      send({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
    } else server.stdin.end()
  }
  return { answers, exitCode: await ended }
}

const toolsOf = (answers: readonly Answer[]): readonly { readonly name: string }[] =>
  (answers.find(({ id }) => id === 2)?.result?.['tools'] ?? []) as readonly { readonly name: string }[]

describe('the packed package', () => {
  it('holds the built program and its papers, and nothing else', () => {
    const others = packed.files.filter((path) => !path.startsWith('dist/'))
    expect(others.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json', 'server.json'])
    expect(packed.files).toContain('dist/tollgate.cjs')
    const sources = packed.files.filter((path) => /\.(ts|map|test\.js)$/.test(path))
    expect(sources.filter((path) => !/^dist\/types\/.*\.d\.ts$/.test(path))).toEqual([])
  })

  it('brings the notices of what is bundled', async () => {
    const notices = await readFile(join(dirname(installed.launcher), 'THIRD-PARTY-NOTICES'), 'utf8')
    for (const name of ['viem', 'express', 'zod', '@x402/core', 'secp256k1', '@openzeppelin/contracts']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'))
    }
    expect(notices).toContain('Permission is hereby granted')
  })

  it('is imported with its types, which need no others', async () => {
    const project = join(folder, 'project')
    await writeFile(
      join(project, 'buys.mts'),
      [
        `import { createPayer, NotPaidError, pay, paymentOf, type PayerOptions } from 'tollgate/client'`,
        `const options: PayerOptions = { budget: { perDay: '1' }, approve: async ({ usd }) => usd === '0.30' }`,
        `export const payer = await createPayer({ ...options, journal: ':memory:' })`,
        `export const usd: string | undefined = paymentOf(new Response())?.usd`,
        `console.log(typeof pay, NotPaidError.name, payer.spent().day, usd)`,
      ].join('\n'),
    )
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const types = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--outDir', '.']
    const places = ['--typeRoots', join(root, 'node_modules/@types'), 'buys.mts']
    await run(process.execPath, [compiler, ...types, ...places], { cwd: project })
    const { stdout } = await run(process.execPath, ['buys.mjs'], { cwd: project })
    expect(stdout.trim()).toBe('function NotPaidError 0.00 undefined')
  })

  it('installs at most ten packages and forty megabytes', () => {
    expect(installed.packages.length).toBeLessThanOrEqual(10)
    expect(installed.megabytes).toBeLessThanOrEqual(40)
  })

  it.each(nodes)('answers initialize and tools/list on %s, and goes when its client goes', async (node) => {
    const { answers, exitCode } = await talk(node, [installed.launcher])
    expect(answers[0]?.result?.['serverInfo']).toMatchObject({ name: packageJson.name, version: packageJson.version })
    // Of the site's tools only those are listed that work without any setting.
    const agentic = (await toolPlaces()).filter(({ family }) => family === 'agentic').map(({ slug }) => slug)
    expect(toolsOf(answers).map(({ name }) => name)).toEqual(expect.arrayContaining(agentic))
    expect(exitCode).toBe(0)
  })

  it.each(nodes)('says its version on %s', async (node) => {
    const { stdout } = await run(node, [installed.launcher, '--version'])
    expect(stdout.trim()).toBe(packageJson.version)
  })

  it('starts by npx from the tarball alone', async () => {
    const { answers, exitCode } = await talk('npm', [
      'exec',
      '--yes',
      '--prefer-offline',
      `--package=${packed.tarball}`,
      '--',
      'tollgate',
    ])
    expect(toolsOf(answers).length).toBeGreaterThanOrEqual(9)
    expect(exitCode).toBe(0)
  }, 120_000)

  it.each(nodes)(
    'runs the sandbox on %s, where the example pays for a call',
    async (node) => {
      const dataDir = join(folder, `data-${nodes.indexOf(node)}`)
      await mkdir(dataDir)
      // Started where anvil is installed, as a developer would; what is fetched otherwise has tests of its own.
      const sandbox = spawn(node, [installed.launcher, 'sandbox', '--json', '--port', '0'], {
        cwd: root,
        env: { ...process.env, TOLLGATE_DATA_DIR: dataDir },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const ended = new Promise((resolve) => sandbox.once('close', resolve))
      try {
        const line = await Promise.race([
          new Promise<string>((resolve) => createInterface(sandbox.stdout).once('line', resolve)),
          ended.then(() => '{}'),
        ])
        const { ready, sandbox: isSandbox, baseUrl, wallets } = JSON.parse(line)
        expect({ ready, isSandbox }).toEqual({ ready: true, isSandbox: true })
        const { stdout } = await run(process.execPath, ['examples/pay.ts', baseUrl, wallets.payer.privateKey], {
          cwd: root,
        })
        expect(stdout).toMatch(/^200\n/)
        expect(stdout).toMatch(/"transaction": "0x[0-9a-f]{64}"/)
      } finally {
        sandbox.kill('SIGTERM')
        await ended
      }
    },
    60_000,
  )
})
