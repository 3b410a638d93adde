import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

/** Tests that start a chain, a server, a database or a process, or that take their time for another reason. */
const slow = [
  'test/**/*.test.ts',
  'sandbox/**/*.test.ts',
  'transports/**/*.test.ts',
  'src/describe/code-samples.test.ts',
  'src/store/*.test.ts',
  'tools/agentic/agent-token-strategy/deploy-gas.test.ts',
  'tools/agentic/mcp-security-scanner/hostile.test.ts',
  'tools/agentic/multi-agent-workflow-designer/shell.test.ts',
  'tools/agentic/polymarket-odds/recorded.test.ts',
  'tools/site/contract-safety-scanner/*.test.ts',
  'tools/site/erc20-approval-audit/{histories,long-history,strangers}.test.ts',
]

const settings = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  pool: 'forks',
  // Test files share a process, one after the other: loading the same modules for each costs more than the tests.
  isolate: false,
} as const

export default defineConfig({
  test: {
    // Much of the time is spent waiting for chains and servers, so a machine of two cores carries four of these.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      {
        test: {
          ...settings,
          name: 'fast',
          include: ['src/**/*.test.ts', 'tools/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: slow,
        },
      },
      { test: { ...settings, name: 'slow', include: slow, globalSetup: 'test/harness/built.ts' } },
    ],
  },
})
