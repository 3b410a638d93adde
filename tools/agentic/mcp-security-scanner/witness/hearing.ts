import { runJudge } from './model.ts'
import type { Judges, Thresholds } from './model.ts'
import { foreignTool } from './tokens.ts'
import type { Said, Window, Windows } from './windows.ts'

/** What the second witness says of one tool, or of what stands outside of tools. */
export type Heard = {
  /** What both judges say, joined, less the toll. */
  readonly score: number
  /** The most that each judge says of any window, less the toll. */
  readonly close: number
  readonly whole: number
  /** Whether it speaks of a tool that the manifest does not have. */
  readonly namesOther: boolean
  /** The one or two sentences that the close judge finds most suspicious. */
  readonly window: Window
}

type Most = { close: number; whole: number; namesOther: boolean; window: Window }

/** What both judges say, by tool name; `''` is what stands outside of tools. */
export function hearAll(
  { close, whole, total }: Pick<Windows, 'close' | 'whole' | 'total'>,
  judges: Judges,
  { wholeShare, toll, otherTool }: Pick<Thresholds, 'wholeShare' | 'toll' | 'otherTool'>,
): ReadonlyMap<string, Heard> {
  const length = Math.log(Math.max(1, total))
  const heard = new Map<string, Most>()
  for (const window of close) {
    const score = runJudge(judges.close, window) - toll.close * length
    const before = heard.get(window.tool ?? '')
    const namesOther = window.said.some(speaksOfOther)
    if (before === undefined)
      heard.set(window.tool ?? '', { close: score, whole: Number.NEGATIVE_INFINITY, namesOther, window })
    else {
      before.namesOther ||= namesOther
      if (score > before.close) Object.assign(before, { close: score, window })
    }
  }
  for (const window of whole) {
    const said = runJudge(judges.whole, window)
    const most = heard.get(window.tool ?? '')
    if (most !== undefined) most.whole = Math.max(most.whole, said - toll.whole * length)
  }
  return new Map(
    [...heard].map(([tool, one]) => {
      const said = one.close + wholeShare * one.whole
      return [tool, { ...one, score: one.namesOther ? said + otherTool : said }]
    }),
  )
}

/**
 * Whether a sentence speaks of a tool that the manifest does not have. In a schema such names are code, and what stands
 * before a colon is explained there.
 */
function speaksOfOther({ tokens, path }: Said): boolean {
  if (path.includes('inputSchema')) return false
  return tokens.some((token, at) => token === foreignTool && tokens[at + 1] !== ':')
}
