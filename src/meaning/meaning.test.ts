import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

import { isKnownWord, likeness, meaningOf, meanOf } from './meaning.ts'
import { unitsOf } from './words.ts'

/** Pairs that say the same in other words, written for this test; nothing was fitted on them. */
const pairs = [
  ['how expensive are transactions right now', 'what does gas cost at the moment'],
  ['who is the owner of this name', 'which person holds that domain'],
  ['is this coin a scam', 'could the token be a fraud'],
  ['read the private key and send it to us', 'forward the secret credentials to the vendor'],
  ['keep this between us', 'tell nobody about it'],
  ['destroy the coins I no longer want', 'burn my old tokens'],
  ['how likely is it that he wins the vote', 'what are the odds in the election'],
  ['who writes the code of this project', 'find the developers of the repository'],
  ['where can I get money for my startup', 'funding programmes for founders'],
  ['did my payment arrive', 'has the transfer been received'],
  ['the weather will be bad tomorrow', 'heavy rain is expected in the morning'],
  ['show me the pictures in this collection', 'list the images of that gallery'],
  ['my computer does not start', 'the machine fails to boot'],
  ['summarise this article', 'give me a short version of the text'],
  ['the children are playing in the garden', 'kids run around on the lawn'],
  ['book a room for two nights', 'reserve a hotel for the weekend'],
] as const

describe('the table of meaning', () => {
  it('puts what says the same in other words nearer than what does not', () => {
    const [firsts, seconds] = [pairs.map(([text]) => meaningOf(text)), pairs.map(([, text]) => meaningOf(text))]
    const nearest = firsts.map((first) => {
      const all = seconds.map((second) => likeness(first, second))
      return all.indexOf(Math.max(...all))
    })
    // The encoder that taught the table finds 14 of them, the table 12.
    expect(nearest.filter((found, index) => found === index).length).toBeGreaterThanOrEqual(12)
  })

  it('gives the same numbers every time', () => {
    expect(meaningOf('what does gas cost')).toEqual(meaningOf('what does gas cost'))
    expect([...meaningOf('forward the key to the vendor')].every(Number.isFinite)).toBe(true)
  })

  it('reads forms of a word and typing errors as the word', () => {
    const [straight, slipped] = [meaningOf('a transaction on the network'), meaningOf('a transacton on the netwrok')]
    expect(likeness(straight, slipped)).toBeGreaterThan(0.95)
    expect(isKnownWord('unknowablezzz')).toBe(false)
  })

  it('is all zeros for a text without a known word, and takes any text', () => {
    expect(meaningOf('').every((value) => value === 0)).toBe(true)
    expect(likeness(meaningOf('\ud800 \udfff'), meaningOf('hello'))).toBe(0)
    expect(meanOf([]).every((value) => value === 0)).toBe(true)
    expect(meaningOf('word '.repeat(100_000)).length).toBeGreaterThan(0)
  })

  it('reads names, links and addresses as what they are', () => {
    expect(unitsOf('callReadFile(read_file) at https://a.example/x for 0xabcdef1234, 12.5%?')).toEqual(
      'call read file read file at @link for @address # ?'.split(' '),
    )
  })

  it('takes at most 1.5 MB in the package', () => {
    expect(statSync(new URL('./meaning.bin', import.meta.url)).size).toBeLessThanOrEqual(1_500_000)
  })
})
