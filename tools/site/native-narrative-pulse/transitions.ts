import type { Baseline, Narrative, Phase, Snapshot } from './snapshot.ts'

/** A later stage of growth is higher; a story that fades is below one that begins. */
const height: Readonly<Record<Phase, number>> = { Fading: 0, Emerging: 1, Rising: 2, Peak: 3 }

/** Snapshots made again within the same day are told against the day before, not against each other. */
const leastAgeMs = 20 * 3_600_000

/** What a new snapshot is compared with; null for the first one. */
export function baselineFor(previous: Snapshot | undefined, now: Date): Baseline | null {
  if (previous === undefined) return null
  const age = now.getTime() - Date.parse(previous.generatedAt)
  if (age < leastAgeMs && previous.baseline !== null) return previous.baseline
  return {
    generatedAt: previous.generatedAt,
    phases: Object.fromEntries(previous.narratives.map(({ slug, phase }) => [slug, phase])),
  }
}

/** What came, rose, fell and went since. */
export function transitionsOf({ phases }: Baseline, narratives: readonly Narrative[]) {
  const before = new Map(Object.entries(phases))
  const moved = narratives.flatMap(({ slug, phase }) => {
    const was = before.get(slug)
    if (was === undefined || was === phase) return []
    return [{ rose: height[phase] > height[was], text: `${slug} — ${was} → ${phase}` }]
  })
  const still = new Set(narratives.map(({ slug }) => slug))
  return {
    new: narratives.filter(({ slug }) => !before.has(slug)).map(({ slug, phase }) => `${slug} — ${phase}`),
    promoted: moved.filter(({ rose }) => rose).map(({ text }) => text),
    demoted: moved.filter(({ rose }) => !rose).map(({ text }) => text),
    dead: [...before].filter(([slug]) => !still.has(slug)).map(([slug, was]) => `${slug} — was ${was}`),
  }
}
