/** What a question names by itself: places, names and numbers that can fill a tool's inputs. */
export type Entities = {
  readonly addresses: readonly string[]
  readonly names: readonly string[]
  readonly urls: readonly string[]
  readonly repos: readonly string[]
  /** Slugs of NFT collections. */
  readonly collections: readonly string[]
  readonly symbols: readonly string[]
  readonly usd: readonly number[]
  readonly counts: readonly number[]
}

type Kind = keyof Entities

// In this order: what is matched first is out of reach for the later ones.
const patterns: readonly (readonly [Kind, RegExp])[] = [
  ['collections', /https?:\/\/(?:www\.)?opensea\.io\/collection\/([a-z0-9-]+)\S*/g],
  ['repos', /(?:https?:\/\/)?(?:www\.)?github\.com\/([\w.-]+\/[\w.-]*\w)\/?/gi],
  ['urls', /(https?:\/\/[^\s"'`<>()]*[^\s"'`<>(),.;:!?])/gi],
  ['addresses', /\b(0x[0-9a-f]{40})\b/gi],
  ['names', /(?<![\w.-])((?:[\p{L}\p{N}_-]+\.)+eth)\b/giu],
  ['usd', /\$\s?(\d[\d,]*(?:\.\d+)?k?)\b/gi],
  ['usd', /\b(\d[\d,]*(?:\.\d+)?k?) ?(?:usd|dollars?)\b/gi],
  ['symbols', /\$([A-Za-z][A-Za-z0-9]{1,9})\b/g],
  ['symbols', /\bsymbol ([A-Z][A-Z0-9]{1,9})\b/g],
  ['repos', /(?<![\w./-])([A-Za-z0-9][\w.-]{0,38}\/[\w.-]*\w)(?![\w/])/g],
  ['collections', /(?<![\w-])([a-z0-9]+(?:-[a-z0-9]+)+)(?![\w-])/g],
  ['counts', /(?<![\w.-])(\d{1,3})(?![\w.-])/g],
]
/** Words with a hyphen or a slash that are words and not names. */
const prose =
  /^(?:on-chain|off-chain|erc-?\d+|eip-?\d+|well-\w+|multi-agent|step-by-step|ai-\w+|pre-\w+|re-\w+|open-source|and\/or|either\/or|he\/she|yes\/no|buy\/sell|eth\/usdc?|\d+[-/]\w+|non-\w+|\w+-based|\w+-term)$/i
/** What stands before a collection of one word, and what stands there and is none. */
const namedCollection = /\bcollections? (?:called |named )?["'“]?([a-z0-9][a-z0-9-]{2,})["'”]?(?![\w-])/gi
const noCollection = new Set([
  'the',
  'that',
  'this',
  'with',
  'have',
  'has',
  'called',
  'named',
  'and',
  'are',
  'for',
  'bound',
  'does',
])

/** The entities of a question, and the rest of it. */
export function entitiesIn(question: string): { readonly entities: Entities; readonly rest: string } {
  const found: Record<Kind, string[]> = {
    addresses: [],
    names: [],
    urls: [],
    repos: [],
    collections: [],
    symbols: [],
    usd: [],
    counts: [],
  }
  const rest = patterns.reduce(
    (text, [kind, pattern]) =>
      text.replaceAll(pattern, (whole: string, value: string) => {
        if (prose.test(value)) return whole
        found[kind].push(value)
        return ' '
      }),
    question,
  )
  for (const [, value = ''] of rest.matchAll(namedCollection)) {
    if (!noCollection.has(value.toLowerCase())) found.collections.push(value.toLowerCase())
  }
  const unique = (kind: Kind): readonly string[] => [...new Set(found[kind])]
  return {
    entities: {
      addresses: unique('addresses'),
      names: unique('names').map((name) => name.toLowerCase()),
      urls: unique('urls'),
      repos: unique('repos'),
      collections: unique('collections'),
      symbols: unique('symbols').map((symbol) => symbol.toUpperCase()),
      usd: unique('usd').map(dollarsOf),
      counts: unique('counts').map(Number),
    },
    rest,
  }
}

function dollarsOf(text: string): number {
  const number = Number(text.replaceAll(',', '').replace(/k$/i, ''))
  return /k$/i.test(text) ? number * 1_000 : number
}
