import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { type Progress, withProgress } from './progress.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('says every two seconds that a call still runs, and nothing once it is over', async () => {
  const told: Progress[] = []
  let finish = (_text: string): void => {}
  const tell = async (progress: Progress): Promise<void> => {
    told.push(progress)
    if (progress.progress === 4) throw new Error('The client is gone.')
  }
  const work = (): Promise<string> => new Promise((resolve) => (finish = resolve))
  const result = withProgress(tell, 'Scanner', work)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(4_001)
  expect(told.map(({ progress }) => progress)).toEqual([2, 4, 6])
  expect(told[0]?.message).toBe('Scanner has been running for 2 seconds.')
  finish('done')
  expect(await result).toBe('done')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(told).toHaveLength(3)
})

it('starts no timer for a caller who asked for none, and ends it where the call fails', async () => {
  expect(await withProgress(undefined, 'Scanner', async () => vi.getTimerCount())).toBe(0)
  const failing = withProgress(
    async () => {},
    'Scanner',
    async () => {
      expect(vi.getTimerCount()).toBe(1)
      throw new Error('It failed.')
    },
  )
  await expect(failing).rejects.toThrow('It failed.')
  expect(vi.getTimerCount()).toBe(0)
})
