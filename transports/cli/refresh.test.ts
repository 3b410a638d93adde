import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { contracts } from '../../sandbox/addresses.ts'
import { replays } from '../../sandbox/replay/replays.ts'
import { type ReplayServer, serveReplays } from '../../sandbox/replay/server.ts'
import { runMain } from '../../test/harness/sandbox-process.ts'

let world: ReplayServer
let dataDir: string

beforeAll(async () => {
  world = await serveReplays({ replays, sites: [], now: () => new Date() })
})
afterAll(() => world.stop())
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'refresh-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const native = { symbol: 'TOLL', contract: contracts.nativeToken, pools: [contracts.nativePair] }

/** The settings of an operator whose outside world is the sandbox's. */
const env = () => {
  const { POSTS: feed = '', ...services } = world.urls
  return {
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_POSTS_FEED: feed,
    TOLLGATE_NATIVE_TOKEN: JSON.stringify(native),
    ...Object.fromEntries(Object.entries(services).map(([name, url]) => [`TOLLGATE_UPSTREAM_${name}_URL`, url])),
  }
}

async function refresh(args: readonly string[], settings: Readonly<Record<string, string>>) {
  const child = runMain(['refresh', ...args], settings)
  child.stdin?.end()
  const [stdout, stderr] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
    once(child, 'exit'),
  ])
  return { code: child.exitCode, stdout, stderr }
}

const snapshotOf = async (slug: string): Promise<{ readonly generatedAt: string }> =>
  JSON.parse(await readFile(join(dataDir, 'snapshots', `${slug}.json`), 'utf8')) as { readonly generatedAt: string }

describe('tollgate refresh', () => {
  it('makes the snapshots that the tools then answer from', async () => {
    const { code, stdout, stderr } = await refresh([], env())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^made +native-influence-impact: TOLL, AERO, CBBTC; posts read: \d+\nmade +native-narrative-pulse: /,
    )
    const call = runMain(['call', 'native-narrative-pulse', '{"phase":"Peak"}', '--json'], env())
    const [answer] = await Promise.all([call.stdout === null ? '' : text(call.stdout), once(call, 'exit')])
    expect(JSON.parse(answer)).toMatchObject({
      stalenessHours: 0,
      narratives: expect.arrayContaining([expect.objectContaining({ slug: 'ai-agents' })]),
    })
  })

  it('says what is not configured, and fails where nothing is', async () => {
    const { TOLLGATE_POSTS_FEED: _feed, ...bare } = env()
    const { code, stdout } = await refresh(['--json'], { ...bare, TOLLGATE_POSTS_FEED: '' })
    expect(code).toBe(1)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { slug: 'native-influence-impact', outcome: 'not configured' },
      { slug: 'native-narrative-pulse', outcome: 'not configured', found: expect.stringContaining('feed of posts') },
    ])
  })

  it('needs no native token for what is not about one', async () => {
    const { code, stdout } = await refresh([], { ...env(), TOLLGATE_NATIVE_TOKEN: '' })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^not configured +native-influence-impact: .*\nmade +native-narrative-pulse/)
  })

  it('makes what it can where a service is down, and says with its exit code that something is missing', async () => {
    const { code, stdout } = await refresh([], { ...env(), TOLLGATE_UPSTREAM_GECKOTERMINAL_URL: 'http://127.0.0.1:9' })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^failed +native-influence-impact: The service "geckoterminal"/)
    expect(stdout).toMatch(/\nmade +native-narrative-pulse/)
  })

  it('stays with --every, and ends when it is told to', async () => {
    const child = runMain(['refresh', '--every', '24h', '--json'], env())
    if (child.stdout === null) throw new Error('The process was started without a pipe to its output.')
    const exited = once(child, 'exit')
    try {
      const seen: string[] = []
      for await (const line of createInterface({ input: child.stdout })) if (seen.push(line) === 2) break
      expect(child.exitCode).toBeNull()
    } finally {
      child.kill('SIGTERM')
    }
    await exited
    expect(child.exitCode).toBe(0)
    expect(Date.parse((await snapshotOf('native-narrative-pulse')).generatedAt)).toBeGreaterThan(Date.now() - 30_000)
  })

  it.each(['soon', '0h', '30', '24h!'])('refuses --every %s', async (every) => {
    const { code, stderr } = await refresh(['--every', every], env())
    expect(code).toBe(1)
    expect(stderr).toContain('--every takes a time such as 24h')
  })
})
