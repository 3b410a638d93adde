import { encodeAbiParameters, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'

import { addressIn, formatAmount, numberIn, readAt, textIn, wordOf, wordsIn } from './words.ts'

describe('the words of a contract', () => {
  it.each([
    [1_500_000n, 6, '1.5'],
    [1n, 18, '0.000000000000000001'],
    [0n, 18, '0'],
    [10n ** 27n, 18, '1000000000'],
    [42n, 0, '42'],
    [100n, 0, '100'],
  ])('shows %s with %i decimals as %s', (raw, decimals, text) => {
    expect(formatAmount(raw, decimals)).toBe(text)
  })

  it('takes no answer for no number, and not for zero', () => {
    expect(numberIn({ success: true, data: '0x' })).toBeUndefined()
    expect(numberIn({ success: false, data: `0x${'0'.repeat(64)}` })).toBeUndefined()
    expect(numberIn(undefined)).toBeUndefined()
    expect(numberIn({ success: true, data: `0x${'0'.repeat(63)}7` })).toBe(7n)
  })

  it('writes and reads addresses and numbers', () => {
    const address = '0x00000000000000000000000000000000000000Aa'
    expect(wordOf(address)).toBe('aa'.padStart(64, '0'))
    expect(wordOf(255n)).toBe('ff'.padStart(64, '0'))
    expect(addressIn(`0x${wordOf(address)}`)).toBe(address.toLowerCase())
  })

  it.each([
    ['USD Coin', encodeAbiParameters([{ type: 'string' }], ['USD Coin'])],
    ['', encodeAbiParameters([{ type: 'string' }], [''])],
    ['Maker', stringToHex('Maker', { size: 32 })],
    [undefined, '0x'],
    [undefined, `0x${'f'.repeat(64)}`],
    [undefined, `0x${wordOf(32n)}${wordOf(10n ** 9n)}`],
    [undefined, `0x${wordOf(64n)}${wordOf(1n)}`],
  ])('reads the text %j as ABI or as 32 bytes, and takes nothing else for one', (text, data) => {
    expect(textIn({ success: true, data })).toBe(text)
    expect(textIn({ success: false, data })).toBeUndefined()
  })

  it('reads whole words only', () => {
    expect(wordsIn({ success: true, data: `0x${wordOf(7n)}ff` })).toEqual([7n])
    expect(wordsIn({ success: false, data: `0x${wordOf(7n)}` })).toEqual([])
  })

  it('tells the block of a batch, and fails where the batch does not', async () => {
    const calls = [{ to: '0x01', data: '0x02' }]
    const answer = (first: string) => ({
      multicall: async () => [first, `0x${wordOf(5n)}`].map((data) => ({ success: true, data })),
    })
    const { block, results } = await readAt(answer(`0x${wordOf(40n)}`), calls)
    expect([block, results.map(numberIn)]).toEqual([40, [5n]])
    await expect(readAt(answer('0x'), calls)).rejects.toMatchObject({ code: 'upstream_unavailable' })
  })
})
