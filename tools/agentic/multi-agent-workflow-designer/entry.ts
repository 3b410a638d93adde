/** How a step is called. */
export const protocols = ['x402', 'mcp', 'a2a', 'rest'] as const
export type Protocol = (typeof protocols)[number]

export const categories = [
  'gas',
  'safety',
  'nft-market',
  'wallet-risk',
  'token-due-diligence',
  'identity',
  'narrative',
  'influence',
  'portfolio',
  'tokenomics',
  'indexer',
  'block-explorer',
] as const
export type Category = (typeof categories)[number]

/** What a tool may need from the goal; a template names one as `{{address}}`, or `{{usd_amount?}}` where it may be left out. */
export const slotHelp = {
  address: 'the 0x address to look at',
  agent_name: 'the name of the agent or token',
  coin_id: 'the coin id, such as bitcoin',
  collection: 'the marketplace slug of the NFT collection',
  goal: 'the goal to plan for',
  name_or_address: 'an ENS name or a 0x address',
  query: 'the words to search for',
  question: 'the question or market to look up',
  repo: 'the GitHub repository as owner/name',
  symbol: 'the ticker, in capital letters',
  url: 'the address to inspect',
  usd_amount: 'an amount in US dollars',
} as const
export type Slot = keyof typeof slotHelp

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** What the planner knows of a tool beyond its place and price; written by hand and reviewed. */
export type Knowledge = {
  readonly category: Category
  /** Words and phrases people use for it; a phrase that occurs as a whole counts extra. */
  readonly keywords: readonly string[]
  readonly input: { readonly [key: string]: Json }
  /** Fields of its answer: by the slot they can fill, or by their own name. Values are dotted paths. */
  readonly provides: { readonly [field: string]: string }
}

/** Keywords from a text with commas. */
export function phrases(text: string): readonly string[] {
  return text.split(',').map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '))
}

/** One tool that a plan may use. */
export type Entry = Knowledge & {
  readonly slug: string
  /** May hold slots. */
  readonly url: string
  readonly protocol: Protocol
  readonly method: 'GET' | 'POST'
  readonly priceMicroUsd: bigint
  readonly latencyMs: number
  /** The name of the tool on its MCP server, where the protocol is `mcp`. */
  readonly mcpTool?: string
  /** What a caller must know before using it, in one short sentence. */
  readonly caveat?: string
}

/** Which slots a text with placeholders names. */
export function slotsIn(text: string): readonly { readonly slot: Slot; readonly optional: boolean }[] {
  return Array.from(text.matchAll(/\{\{(\w+)(\??)\}\}/g), ([, name = '', mark]) => ({
    name,
    optional: mark === '?',
  })).flatMap(({ name, optional }) => (isSlot(name) ? [{ slot: name, optional }] : []))
}

/** The slots an entry cannot be called without. */
export function requiredSlots(entry: Entry): readonly Slot[] {
  const text = entry.url + JSON.stringify(entry.input)
  return [
    ...new Set(
      slotsIn(text)
        .filter(({ optional }) => !optional)
        .map(({ slot }) => slot),
    ),
  ]
}

function isSlot(name: string): name is Slot {
  return Object.hasOwn(slotHelp, name)
}
