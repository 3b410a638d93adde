import { describe, expect, it } from 'vitest'

import { momentIn } from './times.ts'

describe('a moment in a sentence', () => {
  it.each([
    ['turn 2026-11-23T10:52:38.996Z into a block', '2026-11-23T10:52:38Z'],
    ['the last block at 2026-11-23 10:52', '2026-11-23T10:52:00Z'],
    ['at 2026-11-23T10:52:38+02:00, please', '2026-11-23T08:52:38Z'],
    ['timestamp: 2026-11-23', '2026-11-23T00:00:00Z'],
    ['on 3 March 2026 at 9:05 UTC', '2026-03-03T09:05:00Z'],
    ['since the 21st of Sept 2026', '2026-09-21T00:00:00Z'],
    ['Nov 1st, 2026, 23:59:59', '2026-11-01T23:59:59Z'],
  ])('%s', (text, moment) => {
    expect(momentIn(text, false)).toBe(moment)
  })

  it('is a day where a day is asked for', () => {
    expect(momentIn('what happened on 3 March 2026 at 9:05', true)).toBe('2026-03-03')
  })

  it.each([
    'yesterday',
    'the last 20 blocks',
    '2026',
    'on 2026-02-30',
    'at 2026-11-23T27:00Z',
    '03/04/2026',
    'order 12026-11-23',
    '31 June 2026',
  ])('is none in: %s', (text) => {
    expect(momentIn(text, false)).toBeUndefined()
  })
})
