import { rm } from 'node:fs/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Sandbox, startSandbox } from '../sandbox/start.ts'
import { systemClock } from '../src/platform/clock.ts'
import { parseConfig } from '../src/platform/config.ts'
import { noFailpoints } from '../src/platform/failpoint.ts'
import { silentLog } from '../src/platform/log.ts'
import type { Tool } from '../src/tool/tool.ts'
import { loadTools } from '../tools/load.ts'
import { createLocalServer } from '../src/server/local.ts'
import { siteQuestions } from './harness/site-questions.ts'
import { folderOfSnapshots } from './harness/site-snapshots.ts'

const tools = (await loadTools()).filter(({ family }) => family === 'site')
let sandbox: Sandbox
let folder: string

beforeAll(async () => {
  folder = await folderOfSnapshots()
  sandbox = await startSandbox()
}, 60_000)
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
  const house = createLocalServer({
    config: parseConfig({ ...sandbox.env, TOLLGATE_DATA_DIR: folder }),
    tools,
    clock: systemClock,
    log: silentLog,
    failpoint: noFailpoints,
    fetch: count,
  })
  try {
    await house.call({
      tool,
      input: siteQuestions[tool.slug],
      credentials: {},
      ip: '',
      resourceUrl: `mcp://tool/${tool.slug}`,
      requestId: 'test',
    })
    return counts
  } finally {
    await house.upstreams.close()
  }
}

/**
 * What each tool asks the chain for a first answer, by method: many reads are one `eth_call` to the multicall contract, and
 * one more follows only where its question depends on what the last one said. A nonce is no contract's to read, so there is
 * a question for each account. Two tools answer from what a job read before.
 */
const expected: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'agent-binding-scout': {},
  'agent-cert-check': { eth_call: 1 },
  'agent-directory': { eth_call: 1 },
  'agent-trust-score': { eth_call: 5, eth_getBalance: 1, eth_getTransactionCount: 1 },
  ask: { eth_call: 1, eth_getLogs: 1 },
  'chain-ecosystem-radar': {},
  'collection-stats': {},
  'contract-abi-inspector': { eth_getCode: 1, eth_call: 3 },
  'contract-safety-scanner': { eth_getCode: 1, eth_call: 5, eth_simulateV1: 1 },
  'ens-resolver': { eth_call: 3 },
  'erc20-approval-audit': { eth_blockNumber: 1, eth_getLogs: 1, eth_call: 4 },
  'launchpad-deployer-profile': {},
  'launchpad-leaderboard': {},
  'native-burn-stats': { eth_call: 1, eth_getLogs: 1 },
  'native-influence-impact': {},
  'native-narrative-pulse': {},
  'native-stakers-leaderboard': { eth_call: 2, eth_getLogs: 1, eth_getBlockByNumber: 1 },
  'native-sweep-forecast': {},
  'native-whale-alerts': { eth_call: 2, eth_getLogs: 2, eth_getTransactionCount: 11 },
}

describe('what a site tool asks the chain for one answer', () => {
  it.each(tools.map((tool) => [tool.slug, tool] as const))('%s', async (slug, tool) => {
    expect(await asked(tool)).toEqual(expected[slug])
  })
})
