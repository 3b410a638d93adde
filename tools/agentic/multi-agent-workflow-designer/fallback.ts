import type { Draft } from './draft.ts'
import type { Entry } from './entry.ts'
import { wholeSentences } from './sentences.ts'

/** What to call where a step fails, and how it differs. */
export type Fallback = { readonly forStep: string; readonly entry: Entry; readonly reason: string }

/** Another tool that answers the same from another host, the best match and then a free one first. */
export function fallbackFor(entries: readonly Entry[], draft: Draft, forStep: string): readonly Fallback[] {
  const scores = new Map(draft.hits.map(({ entry, score }) => [entry, score]))
  const [entry] = entries
    .filter((other) => other.standsInFor.includes(draft.entry.slug) && hostOf(other) !== hostOf(draft.entry))
    .toSorted((a, b) => Number(a.priceMicroUsd - b.priceMicroUsd) || (scores.get(b) ?? 0) - (scores.get(a) ?? 0))
  return entry === undefined ? [] : [{ forStep, entry, reason: differenceOf(draft.entry, entry) }]
}

function hostOf({ url }: Entry): string {
  return /^https?:\/\/([^/]+)/.exec(url)?.[1] ?? url
}

function differenceOf(from: Entry, to: Entry): string {
  const saved = from.priceMicroUsd - to.priceMicroUsd
  const price = saved === 0n ? 'same price' : `${usd(saved < 0n ? -saved : saved)} ${saved > 0n ? 'cheaper' : 'dearer'}`
  const caveat = to.caveat === undefined ? '' : ` ${to.caveat}`
  return wholeSentences(
    [`The same question (${to.category}) on another host (${hostOf(to)}), ${to.protocol}, ${price}.${caveat}`],
    200,
  )
}

function usd(microUsd: bigint): string {
  return `$${String(Number(microUsd) / 1e6)}`
}
