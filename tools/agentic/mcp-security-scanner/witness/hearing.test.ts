import { describe, expect, it } from 'vitest'

import { hearAll } from './hearing.ts'
import { witnessModel } from './model.ts'
import type { Judges } from './model.ts'
import type { Window } from './windows.ts'

const { thresholds } = witnessModel()

/** Judges that say of a tool the first of its numbers; the whole judge says nothing. */
const table = { weights: [], scale: 1 }
const judges: Judges = {
  close: { words: table, pieces: table, meaning: { weights: [1], bias: 0 } },
  whole: { words: table, pieces: table, meaning: { weights: [0], bias: 0 } },
}

/** The scores of tools of which the judges say these numbers, the first of which is the tool in question. */
const scoreAmong = (said: readonly number[]): number => {
  const close = said.map((score, index): Window => ({
    tool: `tool_${index}`,
    how: undefined,
    said: [],
    isPart: false,
    keys: [],
    pieces: [],
    numbers: Float32Array.of(score),
  }))
  const heard = hearAll({ close, whole: close, total: 40 }, judges, thresholds)
  return heard.get('tool_0')?.score ?? Number.NaN
}
const times = (count: number, score: number): readonly number[] => Array.from({ length: count }, () => score)
const { mean, mostAdded, most, least } = thresholds.neighbours

describe('what is said of a tool among others', () => {
  const alone = scoreAmong([4])

  it('counts more among calm neighbours, and the more the more of them there are, up to a bound', () => {
    expect(scoreAmong([4, ...times(3, mean - 3)])).toBeGreaterThan(alone)
    expect(scoreAmong([4, ...times(9, mean - 3)])).toBeGreaterThan(scoreAmong([4, ...times(3, mean - 3)]))
    expect(scoreAmong([4, ...times(300, mean)])).toBeCloseTo(alone + mostAdded)
  })

  it('counts no less for neighbours that are full of orders', () => {
    expect(scoreAmong([4, ...times(20, most)])).toBeCloseTo(alone)
    expect(scoreAmong([4, ...times(200, 90)])).toBeCloseTo(alone)
  })

  it('is not louder for texts that nobody could write', () => {
    expect(scoreAmong([4, ...times(5, -1000)])).toBeCloseTo(scoreAmong([4, ...times(5, least)]))
  })
})
