import type { CatalogEntry } from '../../src/tool/tool.ts'
import { catalogEntriesOf, createToolList } from '../../src/tool/tools.ts'
import ask from '../../tools/site/ask/tool.ts'
import { loadTools } from '../../tools/load.ts'
import { runTool } from './run-tool.ts'

/** The project's own token, as the sandbox has it. */
const native = { symbol: 'TOLL', contract: '0x1111111111111111111111111111111111111111', pools: [] }
const registry = createToolList(await loadTools())
const catalog: readonly CatalogEntry[] = catalogEntriesOf(registry, 'https://tools.example.org')
/** Where every name leads. */
export const resolved = '0x1111111111111111111111111111111111111111'

/** What a question came to on a server with every tool. */
export type Asked = {
  readonly answer: string
  /** The tool that was meant, also where the question lacked something and nothing was run; null where none was. */
  readonly meant: string | null
  /** What the tool was told; empty where nothing was run. */
  readonly input: Readonly<Record<string, unknown>>
}

/**
 * Puts a question to `ask` on a server with every tool. Each tool refuses wrong input and else answers its own first
 * example; a name always leads to the same address.
 */
export async function askEverything(question: string): Promise<Asked> {
  const ran: { readonly slug: string; readonly input: Readonly<Record<string, unknown>> }[] = []
  const run = async (slug: string, input: unknown): Promise<unknown> => {
    const tool = registry.bySlug(slug)
    const parsed = tool?.input.safeParse(input)
    if (tool === undefined || parsed?.success !== true) {
      throw new Error(`${slug} does not take ${JSON.stringify(input)}.`)
    }
    ran.push({ slug, input: input as Readonly<Record<string, unknown>> })
    return slug === 'ens-resolver' ? namesIn(input) : tool.examples[0]?.output
  }
  const fixture = { note: '', now: '2026-11-20T12:00:00.000Z', exchanges: [] }
  const { output } = await runTool(ask, { question }, fixture, { catalog, runTool: run, settings: { native } })
  const last = ran.at(-1)
  // Where something is missing the answer names the tool that would have been asked.
  const named = /^The tool ([a-z0-9-]+) answers this/.exec(output.answer)?.[1]
  return { answer: output.answer, meant: output.toolUsed ?? named ?? null, input: last?.input ?? {} }
}

function namesIn(input: unknown): unknown {
  const items = (input as { readonly items: readonly string[] }).items
  const results = items.map((item) => ({
    input: item,
    name: item.startsWith('0x') ? null : item,
    address: item.startsWith('0x') ? item : resolved,
    avatar: null,
    resolved: true,
    error: null,
  }))
  return {
    count: items.length,
    resolved: items.length,
    unresolved: 0,
    results,
    network: 'ethereum-mainnet',
    cachedFor: '300s',
  }
}
