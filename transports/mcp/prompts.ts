import type { ToolPrompt } from '../../src/tool/tool.ts'
import type { ToolList } from '../../src/tool/tools.ts'
import { toolUriOf } from './tool-uri.ts'

/** Ready-made tasks that a host offers its user by name. */
export type McpPrompt = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  /** What the user then says, and a document to show with it. */
  readonly say: (given: Readonly<Record<string, string>>) => { readonly text: string; readonly resource?: string }
}

type PromptArgument = ToolPrompt['arguments'][number] & {
  /** Where the value is one of a list. */
  readonly values?: 'slugs'
}

/** The one task that fits every tool. */
const explain: McpPrompt = {
  name: 'explain-tool',
  title: 'Explain a tool',
  description: 'What one tool needs, gives, costs and does not do, from its own documentation.',
  arguments: [{ name: 'slug', description: 'Name of the tool.', required: true, values: 'slugs' }],
  say: ({ slug = '' }) => ({
    text: `Explain the tool "${slug}" from its documentation: what it is for, what it needs, what it answers, what it costs and what it does not do. Then offer one call that fits what we are working on. Do not call it before I agree.`,
    resource: toolUriOf(slug),
  }),
}

/**
 * The prompts that a server with these tools can offer: one for every tool, and those that the tools bring themselves.
 */
export function promptsOf(tools: ToolList['all']): readonly McpPrompt[] {
  const slugs = new Set(tools.map((tool) => tool.slug))
  const own = tools
    .flatMap((tool) => tool.prompts ?? [])
    .filter(({ needs = [] }) => needs.every((slug) => slugs.has(slug)))
  return [
    explain,
    ...own.map((prompt) => ({ ...prompt, say: (given) => ({ text: prompt.say(given) }) }) satisfies McpPrompt),
  ]
}
