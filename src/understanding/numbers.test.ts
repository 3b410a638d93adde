import { describe, expect, it } from 'vitest'

import { amountOf, inFigures, secondsIn } from './numbers.ts'

describe('numbers in words', () => {
  it.each([
    ['two hundred thousand tokens', '200000 tokens'],
    ['more than five grand', 'more than 5000'],
    ['forty bucks up front', '40 bucks up front'],
    ['half a dozen of them', '6 of them'],
    ['twenty-five of the cats', '25 of the cats'],
    ['the one that I bought', 'the one that I bought'],
    ['3 million of supply', '3000000 of supply'],
  ])('%s', (text, figures) => {
    expect(inFigures(text)).toBe(figures)
  })

  it('reads one word as its number and cents as parts of a dollar', () => {
    expect(amountOf('fifteen')).toBe(15)
    expect(amountOf('3 cents')).toBe(0.03)
    expect(amountOf('10k')).toBe(10_000)
  })
})

describe('periods that a text looks back on', () => {
  it.each([
    ['what happened over the past fortnight', 1_209_600],
    ['look back about one day', 86_400],
    ['in the last two hours', 7_200],
    ['whatever moved since yesterday', 86_400],
    ['three days ago', 259_200],
  ])('%s', (text, seconds) => {
    expect(secondsIn(text)).toBe(seconds)
  })

  it('leaves `these days` and the hour of a plan alone', () => {
    expect(secondsIn('what does it cost these days')).toBeUndefined()
    expect(secondsIn('I will decide in an hour')).toBeUndefined()
  })
})
