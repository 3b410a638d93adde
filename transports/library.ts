/**
 * What `import … from 'tollgate'` gives to those who sell tools of their own. These names stay as they are within a
 * major version; docs/sell-your-own-tool.md describes them.
 */
import { z } from 'zod'

import type { OwnTool } from '../src/tool/own.ts'

export { z }
export { InvalidInputError, NotFoundError, UpstreamError } from '../src/errors.ts'
export type { OwnTool as ToolDefinition, OwnToolContext as ToolContext } from '../src/tool/own.ts'

/** Declares a tool. Its work is to let the compiler check `run` and the examples against the schemas. */
export function defineTool<I extends z.ZodType, O extends z.ZodType>(tool: OwnTool<I, O>): OwnTool<I, O> {
  return tool
}

/** A server that runs in the process that made it. */
export type RunningServer = {
  /** Root of all addresses. */
  readonly url: string
  /** Where MCP clients connect. */
  readonly mcpUrl: string
  /** Takes no new calls, finishes those under way, and closes everything. */
  readonly stop: () => Promise<void>
}

export type ServerOptions = {
  /**
   * The tools that are sold; each needs its `slug` here, because it has no file to be named after. Or the folder of
   * `--tools`: its tools run in threads of their own, where they cannot hold up a payment.
   */
  readonly tools: readonly OwnTool[] | string
  /** The settings of docs/configuration.md, such as the environment. `TOLLGATE_PAY_TO` is needed. */
  readonly settings: Readonly<Record<string, string | undefined>>
  /** Each line of the log as JSON; nowhere unless given. */
  readonly log?: (line: string) => void
}

/**
 * Serves tools over HTTP and MCP, paid in USDC with x402, as `tollgate serve` does.
 *
 * @throws Error naming the setting, or the tool and its field, that is wrong.
 */
export async function createServer({ tools, settings, log = () => {} }: ServerOptions): Promise<RunningServer> {
  const [
    { parseConfig },
    { systemClock },
    { noFailpoints },
    { createLog },
    { createPooledFetch },
    { toolsOf },
    { readOwnTool },
    { endingOf, ownToolModules },
    open,
    urls,
  ] = await Promise.all([
    import('../src/platform/config.ts'),
    import('../src/platform/clock.ts'),
    import('../src/platform/failpoint.ts'),
    import('../src/platform/log.ts'),
    import('../src/upstream/http/dispatcher.ts'),
    import('../src/server/own-tools/serve.ts'),
    import('../src/tool/read-own-tool.ts'),
    import('../src/server/own-tools/modules.ts'),
    import('./http/open.ts'),
    import('../src/tool/urls.ts'),
  ])
  const given = typeof tools === 'string' ? [] : tools
  const made = given.map((tool, index) => {
    const read = readOwnTool(tool, tool.slug ?? '')
    if ('faults' in read) throw new Error(`tools[${index}]: ${read.faults.join('; ')}`)
    return read.tool
  })
  const read = parseConfig(settings)
  // Threads know the tools of this package as well, and sell none of them.
  const config = typeof tools === 'string' ? { ...read, toolsDir: tools, disabledTools: ['built-in'] } : read
  const program = import.meta.url
  const served = await open.openServer(
    {
      config,
      tools:
        typeof tools === 'string'
          ? await toolsOf(config, [], { modules: ownToolModules(program) })
          : await toolsOf({ ...config, toolsDir: undefined }, made),
      ...(typeof tools === 'string' ? { toolThread: new URL(`tool-thread${endingOf(program)}`, program) } : {}),
      booksThread: new URL(`books-thread${endingOf(program)}`, program),
      clock: systemClock,
      log: createLog(log, systemClock.now),
      failpoint: noFailpoints,
      fetch: createPooledFetch().fetch,
    },
    false,
  )
  return { url: served.baseUrl, mcpUrl: `${served.baseUrl}${urls.paths.mcp}`, stop: served.stop }
}
