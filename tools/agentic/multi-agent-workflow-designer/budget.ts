import { costOf, type Draft, type House } from './draft.ts'
import { wire } from './wire.ts'

/** How a plan stands to the budget it was given. */
export type BudgetStatus = 'under_budget' | 'no_budget_specified' | 'pruned_to_budget' | 'over_budget_unprunable'

/** The drafts that stay, and how they stand to the budget. */
export type Fitted = { readonly kept: readonly Draft[]; readonly budgetStatus: BudgetStatus }

/** Swaps and drops steps until the plan fits the budget. */
export function fitBudget(house: House, drafts: readonly Draft[]): Fitted {
  const budget = house.budgetMicroUsd
  if (budget === undefined) return { kept: drafts, budgetStatus: 'no_budget_specified' }
  const isWithin = (some: readonly Draft[]) => costOf(wire(house, some).map(({ draft }) => draft)) <= budget
  if (isWithin(drafts)) return { kept: drafts, budgetStatus: 'under_budget' }

  let kept = drafts
  for (let swap = bestSwap(house, kept); swap !== undefined && !isWithin(kept); swap = bestSwap(house, kept)) {
    const { old, replacement } = swap
    kept = kept.map((draft) => (draft === old ? replacement : draft))
  }
  while (kept.length > 1 && !isWithin(kept)) {
    const victim = leastWorth(house, kept, budget)
    kept = kept.filter((draft) => draft !== victim)
  }
  if (isWithin(kept)) return { kept, budgetStatus: 'pruned_to_budget' }
  // What feeds on another step is no plan by itself.
  const sources = wire(house, drafts).flatMap(({ draft, needs }) => (needs.length === 0 ? [draft] : []))
  const cheapest = sources
    .filter((draft) => drafts.includes(draft))
    .toSorted((a, b) => Number(a.entry.priceMicroUsd - b.entry.priceMicroUsd))
    .slice(0, 1)
  const last = cheapest.length > 0 ? cheapest : kept
  return { kept: last, budgetStatus: isWithin(last) ? 'pruned_to_budget' : 'over_budget_unprunable' }
}

/** The swap that saves most: a cheaper tool that answers the same. */
function bestSwap(
  house: House,
  drafts: readonly Draft[],
): { readonly old: Draft; readonly replacement: Draft } | undefined {
  const needed = new Set(wire(house, drafts).flatMap(({ needs }) => needs))
  const used = new Set(drafts.map(({ entry }) => entry))
  return drafts
    .filter((draft) => !needed.has(draft))
    .flatMap((old) =>
      house.entries
        .filter(
          (entry) =>
            entry.standsInFor.includes(old.entry.slug) &&
            entry.priceMicroUsd < old.entry.priceMicroUsd &&
            !used.has(entry),
        )
        .map((entry) => ({ entry, score: old.hits.find((hit) => hit.entry === entry)?.score ?? 0 }))
        .map((hit) => ({
          old,
          replacement: {
            ...old,
            ...hit,
            notes: [...old.notes, `Takes the place of ${old.entry.slug} to fit the budget.`],
          },
        })),
    )
    .toSorted((a, b) => Number(savingOf(b) - savingOf(a)) || b.replacement.score - a.replacement.score)[0]
}

function savingOf({ old, replacement }: { readonly old: Draft; readonly replacement: Draft }): bigint {
  return old.entry.priceMicroUsd - replacement.entry.priceMicroUsd
}

/** The step to drop next, never one that another needs: what cannot be afforded even alone, then the least score per dollar. */
function leastWorth(house: House, drafts: readonly Draft[], budget: bigint): Draft | undefined {
  const wired = wire(house, drafts)
  const needed = new Set(wired.flatMap(({ needs }) => needs))
  const aloneCost = (draft: Draft): bigint =>
    draft.entry.priceMicroUsd +
    (wired.find((each) => each.draft === draft)?.needs ?? []).reduce((sum, source) => sum + aloneCost(source), 0n)
  const worth = (draft: Draft) =>
    draft.entry.priceMicroUsd === 0n ? Infinity : draft.score / Number(draft.entry.priceMicroUsd)
  return drafts
    .filter((draft) => !needed.has(draft))
    .toSorted(
      (a, b) =>
        Number(aloneCost(a) <= budget) - Number(aloneCost(b) <= budget) ||
        compare(worth(a), worth(b)) ||
        a.score - b.score ||
        b.position - a.position,
    )[0]
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}
