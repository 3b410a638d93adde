import { parseConfig } from '../../src/platform/config.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { noFailpoints } from '../../src/platform/failpoint.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createLocalServer } from '../../src/server/local.ts'
import type { Tool } from '../../src/tool/tool.ts'

export type Surroundings = {
  readonly tools: readonly Tool[]
  readonly env: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
  /** The machine's own unless given. */
  readonly clock?: Clock
}

/** Calls a tool on a server that has answered nothing yet; returns the text of its answer. */
export async function askLocally(
  tool: Tool,
  input: unknown,
  { tools, env, fetch, clock = systemClock }: Surroundings,
): Promise<string> {
  const local = createLocalServer({
    config: parseConfig(env),
    tools,
    clock,
    log: silentLog,
    failpoint: noFailpoints,
    fetch,
  })
  try {
    return await local.answer(tool, input)
  } finally {
    await local.upstreams.close()
  }
}
