import { describe, expect, it } from 'vitest'

import { patternWork } from './pattern-work.ts'

describe('the work of a pattern', () => {
  it.each([
    ['^0x[0-9a-fA-F]{40}$', 42],
    ['^[a-z][a-z0-9_-]{0,63}$', 64],
    ['^(\\d{1,3}\\.){3}\\d{1,3}$', 15],
    ['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$', 16],
    ['^(?=.*[A-Z])(?=.*\\d).{8,64}$', 64],
    ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 40],
    ['https?://.+', 200],
    ['^(?:asc|desc)$', 4],
    ['^(?<year>\\d{4})\\/[\\]a]?\\u{61}\\p{L}x{,2}$', 20],
  ])('is little for %s', (pattern, letters) => {
    expect(patternWork(pattern)(letters)).toBeLessThan(300_000)
  })

  // What stands in the third column is how often the engine tries at least, counted by hand.
  it.each([
    ['^(a+)+$', 40, 2 ** 39],
    ['^(a|a)*b', 40, 2 ** 40],
    ['^(a|ab|b)*c', 40, 2 ** 20],
    [`^${'a?'.repeat(40)}${'a'.repeat(40)}$`, 40, 2 ** 40],
    [`^${'(a|a)'.repeat(40)}b`, 40, 2 ** 40],
    ['^(a?){40}$', 41, 2 ** 40],
    ['^(?:a{0,9}){0,40}b', 80, 2 ** 40],
    ['^(a*)*b', 40, 2 ** 39],
    ['^(|a)*b', 40, 2 ** 39],
    ['^a{0,900}a{0,900}a{0,900}b', 2_000, 900 ** 3],
    ['^a*a*a*b', 2_000, 2_000 ** 3 / 6],
    ['a*b', 2_000, 2_000 ** 2 / 2],
    ['a|b*c', 2_000, 2_000 ** 2 / 2],
    ['(?=(a+)+b)', 40, 2 ** 39],
    ['(?<!(a+)+b)', 40, 2 ** 39],
    ['^(a*)\\1b', 2_000, 2_000 ** 2 / 4],
    ['^[)a]*[(a]*\\)*a*b', 2_000, 2_000 ** 3 / 6],
  ])('is no less for %s than it takes', (pattern, letters, least) => {
    expect(patternWork(pattern)(letters)).toBeGreaterThanOrEqual(least)
  })

  it('is without an end where a pattern is nested too deeply to be read', () => {
    expect(patternWork(`${'('.repeat(60)}a${')'.repeat(60)}`)(1)).toBe(Infinity)
  })
})
