import type { Draft } from './draft.ts'
import type { Entry } from './entry.ts'
import { wholeSentences } from './words.ts'

/** What to call where a step fails, and how it differs. */
export type Fallback = { readonly forStep: string; readonly entry: Entry; readonly reason: string }

const fallbackFloor = 0.25

/** The next best tool of the same category on another host, a free one first. */
export function fallbackFor(draft: Draft, forStep: string): readonly Fallback[] {
  const candidates = draft.hits.filter(
    ({ entry, score }) =>
      entry.category === draft.entry.category &&
      hostOf(entry) !== hostOf(draft.entry) &&
      score >= fallbackFloor * draft.score,
  )
  const hit = candidates.find(({ entry }) => entry.priceMicroUsd === 0n) ?? candidates[0]
  return hit === undefined ? [] : [{ forStep, entry: hit.entry, reason: differenceOf(draft.entry, hit.entry) }]
}

function hostOf({ url }: Entry): string {
  return /^https?:\/\/([^/]+)/.exec(url)?.[1] ?? url
}

function differenceOf(from: Entry, to: Entry): string {
  const saved = from.priceMicroUsd - to.priceMicroUsd
  const price = saved === 0n ? 'same price' : `${usd(saved < 0n ? -saved : saved)} ${saved > 0n ? 'cheaper' : 'dearer'}`
  const caveat = to.caveat === undefined ? '' : ` ${to.caveat}`
  return wholeSentences(
    [`Same category (${to.category}) on another host (${hostOf(to)}), ${to.protocol}, ${price}.${caveat}`],
    200,
  )
}

function usd(microUsd: bigint): string {
  return `$${String(Number(microUsd) / 1e6)}`
}
