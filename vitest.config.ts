import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that start a chain, a server, a database or a process, or that take their time for another reason. */
const slow = [
  'test/**/*.test.ts',
  'sandbox/**/*.test.ts',
  'transports/**/*.test.ts',
  'src/describe/code-samples.test.ts',
  'src/payments/facilitator/self/self.test.ts',
  'src/store/*.test.ts',
  'tools/agentic/agent-token-strategy/{contracts,deploy-gas}.test.ts',
  'tools/agentic/mcp-security-scanner/hostile.test.ts',
  'tools/agentic/multi-agent-workflow-designer/shell.test.ts',
  'tools/agentic/polymarket-odds/recorded.test.ts',
  'tools/site/contract-safety-scanner/*.test.ts',
  'tools/site/erc20-approval-audit/{histories,long-history,strangers}.test.ts',
]

/** What takes longest, longest first. It is begun first, so that no core waits for the last of it at the end. */
const longest = [
  'test/money/crash.test.ts',
  'test/browser/pages.test.ts',
  'test/money/faults.test.ts',
  'test/hostile/worst-inputs.test.ts',
  'test/package.test.ts',
  'tools/agentic/mcp-security-scanner/hostile.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification): number => {
      const at = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
      // The short ones of the other project come last and fill the gaps.
      return at !== -1 ? at : project.name === 'slow' ? longest.length : longest.length + 1
    }
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

const settings = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  pool: 'forks',
  // Test files share a process, one after the other: loading the same modules for each costs more than the tests.
  isolate: false,
  // Tests start hundreds of processes: what each of them loads is compiled by the first.
  env: { NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/compiled` },
} as const

export default defineConfig({
  test: {
    // Much of the time is spent waiting for chains and servers, so a machine of two cores carries four of these.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: LongestFirst },
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
