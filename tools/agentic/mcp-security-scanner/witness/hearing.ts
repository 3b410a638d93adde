import { weightOf } from '../signals.ts'
import { runJudge } from './model.ts'
import type { Judges, Thresholds } from './model.ts'
import type { Window, Windows } from './windows.ts'

/** What the second witness says of one tool, or of what stands outside of tools. */
export type Heard = {
  /** What both judges say, joined, less the toll. */
  readonly score: number
  /** The most that each judge says of any window, less the toll. */
  readonly close: number
  readonly whole: number
  /** What the signals of the rules add up to in one or two sentences at most. */
  readonly signals: number
  /** The one or two sentences that the close judge finds most suspicious. */
  readonly window: Window
}

type Most = { close: number; whole: number; signals: number; window: Window }

/** What both judges say, by tool name; `''` is what stands outside of tools. */
export function hearAll(
  { close, whole, total }: Pick<Windows, 'close' | 'whole' | 'total'>,
  judges: Judges,
  { wholeShare, toll }: Pick<Thresholds, 'wholeShare' | 'toll'>,
): ReadonlyMap<string, Heard> {
  const length = Math.log(Math.max(1, total))
  const heard = new Map<string, Most>()
  for (const window of close) {
    const score = runJudge(judges.close, window.keys, window.numbers) - toll.close * length
    const before = heard.get(window.tool ?? '')
    const signals = signalsOf(window)
    if (before === undefined)
      heard.set(window.tool ?? '', { close: score, whole: Number.NEGATIVE_INFINITY, signals, window })
    else {
      before.signals = Math.max(before.signals, signals)
      if (score > before.close) Object.assign(before, { close: score, window })
    }
  }
  for (const window of whole) {
    const said = runJudge(judges.whole, window.keys, window.numbers)
    const most = heard.get(window.tool ?? '')
    if (most !== undefined) most.whole = Math.max(most.whole, said - toll.whole * length)
  }
  return new Map([...heard].map(([tool, one]) => [tool, { ...one, score: one.close + wholeShare * one.whole }]))
}

function signalsOf({ said }: Window): number {
  const [first, second] = said
  if (first === undefined) return 0
  if (second === undefined || second.sentence.signals.size === 0) return weightOf(first.sentence.signals)
  return weightOf(new Set([...first.sentence.signals, ...second.sentence.signals]))
}
