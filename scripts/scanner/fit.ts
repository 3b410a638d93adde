import { answerOf, learned } from './learn.ts'
import type { Learned, Sight } from './learn.ts'
import type { Table, Which } from './table.ts'

/** How many steps each of the two fits takes at most; the second goes on from the first. */
const steps = { close: [30, 25], whole: [35, 20] } as const

/** What is to be learned: by which judge, of what, and without which items. */
export type Job = { readonly which: Which; readonly sight: Sight; readonly leftOut: Uint8Array }

/**
 * Learns from items of which only some windows are guilty: at first an attack as a whole, then the windows that the
 * judge already believes in and the most believed one of each attack.
 */
export function fitSight(table: Table, { which, sight, leftOut }: Job): Learned {
  const rows = table.items.map((_, row) => row).filter((row) => leftOut[table.items[row] ?? 0] !== 1)
  const honest = rows.filter((row) => table.isAttack[row] !== 1 && table.isFirst[row] === 1)
  const attacks = rows.filter((row) => table.isAttack[row] === 1)
  const suspected = attacks.filter((row) => table.isFirst[row] === 1)
  const [firstSteps, secondSteps] = steps[which]
  const learnedFrom = (guilty: Int32Array): Int32Array =>
    Int32Array.from([...once(table, honest), ...once(table, guilty)])
  const first = learned(table, sight, { rows: learnedFrom(suspected), mostSteps: firstSteps })
  const guilty = believed(table, attacks, (row) => answerOf(table, sight, first, row))
  return learned(table, sight, { rows: learnedFrom(guilty), mostSteps: secondSteps, former: first })
}

/** Of each item the windows that are believed to be guilty, or the one that is believed most. */
function believed(table: Table, rows: Int32Array, answer: (row: number) => number): Int32Array {
  const answers = Float64Array.from(rows, answer)
  const best = new Map<number, number>()
  for (const [index, row] of rows.entries()) {
    const item = table.items[row] ?? 0
    best.set(item, Math.max(best.get(item) ?? Number.NEGATIVE_INFINITY, answers[index] ?? 0))
  }
  return rows.filter((row, index) => {
    const said = answers[index] ?? 0
    return said > 0.5 || said === best.get(table.items[row] ?? 0)
  })
}

/** Texts that items share are learned once, from the last that has them; the same words have the same pieces. */
function once({ same }: Table, rows: Int32Array): readonly number[] {
  return [...new Map(Array.from(rows, (row) => [same[row], row] as const)).values()]
}
