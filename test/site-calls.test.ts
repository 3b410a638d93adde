import { rm } from 'node:fs/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Sandbox, startSandbox } from '../sandbox/start.ts'
import { systemClock } from '../src/platform/clock.ts'
import type { Tool } from '../src/tool/tool.ts'
import { loadTools } from '../tools/load.ts'
import { askLocally } from './harness/ask-locally.ts'
import { samplesOf } from './harness/samples.ts'
import { folderOfSnapshots } from './harness/site-snapshots.ts'

const tools = (await loadTools()).filter(({ family }) => family === 'site')
const samples = await samplesOf(tools)
let sandbox: Sandbox
let folder: string

beforeAll(async () => {
  folder = await folderOfSnapshots()
  sandbox = await startSandbox()
})
afterAll(async () => {
  await sandbox.stop()
  await rm(folder, { recursive: true })
})

/** Asks a tool its question on a server that has answered nothing yet, and counts what it asks the chain. */
async function asked(tool: Tool): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const count: typeof fetch = (input, init) => {
    const body: unknown =
      typeof init?.body === 'string' && init.body.startsWith('{') ? JSON.parse(init.body) : undefined
    const method = typeof body === 'object' && body !== null && 'method' in body ? String(body.method) : undefined
    // Which chain a node serves is asked once for all calls.
    if (method !== undefined && method !== 'eth_chainId') counts[method] = (counts[method] ?? 0) + 1
    return fetch(input, init)
  }
  const env = { ...sandbox.env, TOLLGATE_DATA_DIR: folder }
  // The clock stands still: what is asked must not hang on how busy this machine is.
  const now = systemClock.now()
  const clock = { ...systemClock, now: () => now }
  await askLocally(tool, samples[tool.slug]?.input, { tools, env, fetch: count, clock })
  return counts
}

const measured = tools.filter(({ slug }) => samples[slug]?.chain !== undefined)

describe('what a site tool asks the chain for one answer', () => {
  it.each(measured.map((tool) => [tool.slug, tool] as const))('%s', async (slug, tool) => {
    expect(await asked(tool)).toEqual(samples[slug]?.chain)
  })
})
