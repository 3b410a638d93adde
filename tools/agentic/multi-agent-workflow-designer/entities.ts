/** What a goal names by itself: places, names and amounts that can fill a tool's inputs. */
export type Entities = {
  readonly address: readonly string[]
  readonly ens: readonly string[]
  readonly repo: readonly string[]
  readonly url: readonly string[]
  readonly ticker: readonly string[]
  readonly usd: readonly string[]
}
type Kind = keyof Entities

/** A goal whose entities are replaced by marks, so that cutting it into clauses never cuts an address. */
export type MarkedGoal = {
  readonly text: string
  readonly found: readonly { readonly kind: Kind; readonly value: string }[]
}

// In this order: what is matched first is out of reach for the later ones.
const patterns: readonly (readonly [Kind, RegExp])[] = [
  ['repo', /(?:https?:\/\/)?(?:www\.)?github\.com\/([\w.-]+\/[\w.-]*\w)\/?/gi],
  ['url', /(https?:\/\/[^\s"'`<>()]*[^\s"'`<>(),.;:!?])/gi],
  ['address', /\b(0x[0-9a-f]{40})\b/gi],
  ['ens', /\b((?:[\p{L}\p{N}_-]+\.)+eth)\b/giu],
  ['usd', /\$\s?(\d[\d,]*(?:\.\d+)?k?)\b/gi],
  ['usd', /\b(\d[\d,]*(?:\.\d+)?k?) (?:usd|dollars)\b/gi],
  ['ticker', /\$([A-Za-z][A-Za-z0-9]{1,9})\b/g],
  ['repo', /(?<![\w./-])([A-Za-z0-9][\w.-]{0,38}\/[\w.-]*\w)(?![\w/])/g],
]

// Two-word alternatives that look like owner/name but are prose.
const prose = /^(?:and\/or|either\/or|he\/she|his\/her|yes\/no|on\/off|buy\/sell|eth\/usdc?|btc\/usdc?|\d+\/\d+)$/i

/** The mark of the n-th entity; the range is removed from what callers write. */
const mark = (index: number) => String.fromCodePoint(0xe000 + index)
const marks = /[\ue000-\uf8ff]/g

/** Takes control and private characters out, and puts marks where entities are. */
export function markEntities(goal: string): MarkedGoal {
  const found: { kind: Kind; value: string }[] = []
  const clean = goal.normalize('NFKC').replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
  const text = patterns.reduce(
    (rest, [kind, pattern]) =>
      rest.replaceAll(pattern, (whole: string, value: string) => {
        if (kind === 'repo' && prose.test(value)) return whole
        found.push({ kind, value })
        return ` ${mark(found.length - 1)} `
      }),
    clean,
  )
  return { text, found }
}

/** The entities whose marks a text holds, in its order. */
export function entitiesIn(text: string, found: MarkedGoal['found']): Entities {
  const inText = Array.from(text.matchAll(marks), ([character]) => found[character.charCodeAt(0) - 0xe000]).filter(
    (entity) => entity !== undefined,
  )
  const of = (kind: Kind) => [...new Set(inText.filter((entity) => entity.kind === kind).map(({ value }) => value))]
  return {
    address: of('address'),
    ens: of('ens'),
    repo: of('repo'),
    url: of('url'),
    ticker: of('ticker'),
    usd: of('usd'),
  }
}

/** The text as its author wrote it, spaces put right. */
export function unmarked(text: string, found: MarkedGoal['found']): string {
  return text
    .replaceAll(marks, (character) => found[character.charCodeAt(0) - 0xe000]?.value ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([,.;:?!])/g, '$1')
    .trim()
}

/** The text without its entities. */
export function withoutEntities(text: string): string {
  return text.replaceAll(marks, ' ')
}
