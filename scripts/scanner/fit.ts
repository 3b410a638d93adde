import { answerOf, learned } from './learn.ts'
import type { Learned, Sight } from './learn.ts'
import type { Table, Which } from './table.ts'

/** How many steps the first fit takes at most, and how many each that goes on from the one before. */
const steps = { close: { first: 30, next: 25 }, whole: { first: 35, next: 20 } } as const
/** How often it is asked anew which windows are guilty: the first fit believes too much of what stands beside them. */
const rounds = 2

/** What is to be learned: by which judge, of what, and without which items. */
export type Job = { readonly which: Which; readonly sight: Sight; readonly leftOut: Uint8Array }

/**
 * Learns from items of which only some windows are guilty: at first an attack as a whole, then, twice, the windows that
 * the judge already believes in and the most believed one of each attack.
 */
export function fitSight(table: Table, { which, sight, leftOut }: Job): Learned {
  const rows = table.items.map((_, row) => row).filter((row) => leftOut[table.items[row] ?? 0] !== 1)
  const honest = rows.filter((row) => table.isAttack[row] !== 1 && table.isFirst[row] === 1)
  const attacks = rows.filter((row) => table.isAttack[row] === 1)
  const suspected = attacks.filter((row) => table.isFirst[row] === 1)
  const { first, next } = steps[which]
  const learnedFrom = (guilty: Int32Array): Int32Array =>
    Int32Array.from([...once(table, honest), ...once(table, guilty)])
  let judge = learned(table, sight, { rows: learnedFrom(suspected), mostSteps: first })
  for (let round = 0; round < rounds; round += 1) {
    const former = judge
    const guilty = believed(table, attacks, (row) => answerOf(table, sight, former, row))
    judge = learned(table, sight, { rows: learnedFrom(guilty), mostSteps: next, former })
  }
  return judge
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
