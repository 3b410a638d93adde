import type { Tool } from '../tool/tool.ts'

/** Groups of tools that a client may ask for in the address; a tool is in every group that one of its tags names. */
export const toolsets = ['core', 'onchain', 'audit', 'nft', 'agents', 'all'] as const

export type Toolset = (typeof toolsets)[number]

const tagsOf: Readonly<Record<Exclude<Toolset, 'core' | 'all'>, readonly string[]>> = {
  onchain: ['onchain', 'wallet', 'contract', 'native-token', 'gas', 'ens', 'ecosystem', 'approvals'],
  audit: ['audit', 'security', 'due-diligence', 'verification', 'trust'],
  nft: ['nft', 'opensea'],
  agents: ['agents', 'mcp', 'x402', 'a2a', 'registry'],
}

/** Whether the tool belongs to the group: `core` is the pay-per-call family, `all` is everything. */
export function isInToolset(tool: Pick<Tool, 'family' | 'tags'>, toolset: Toolset): boolean {
  if (toolset === 'all') return true
  return toolset === 'core' ? tool.family === 'agentic' : tool.tags.some((tag) => tagsOf[toolset].includes(tag))
}

/** The groups a text names, separated by commas; undefined where one is unknown, everything where none is named. */
export function readToolsets(text: string | null): readonly Toolset[] | undefined {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) return ['all']
  const known = toolsets.filter((toolset) => names.includes(toolset))
  return known.length === new Set(names).size ? known : undefined
}
