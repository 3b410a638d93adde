import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { createSnapshots, stalenessHours } from './snapshot.ts'

const schema = z.strictObject({ round: z.int(), filling: z.string() })
let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'snapshot-')), 'not', 'there', 'yet')
})
afterEach(() => rm(join(folder, '../../..'), { recursive: true }))

describe('a snapshot', () => {
  it('is whole at every moment, while it is replaced again and again', async () => {
    const writer = createSnapshots({ name: 'one', schema })
    const of = (round: number) => ({ round, filling: String(round).repeat(20_000) })
    await writer.write(folder, of(0))
    const writing = (async () => {
      for (let round = 1; round <= 40; round += 1) await writer.write(folder, of(round))
    })()
    const seen: number[] = []
    while (seen.at(-1) !== 40) {
      const snapshot = await createSnapshots({ name: 'one', schema }).read(folder)
      expect(snapshot).toEqual(of(snapshot?.round ?? -1))
      seen.push(snapshot?.round ?? -1)
    }
    await writing
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(await readdir(folder)).toEqual(['one.json'])
  })

  it('is parsed once, however often it is read', async () => {
    const snapshots = createSnapshots({ name: 'one', schema })
    await snapshots.write(folder, { round: 1, filling: '' })
    expect(await snapshots.read(folder)).toBe(await snapshots.read(folder))
  })

  it('is undefined before the first one, and an error where the file is something else', async () => {
    const snapshots = createSnapshots({ name: 'one', schema })
    expect(await snapshots.read(folder)).toBeUndefined()
    await snapshots.write(folder, { round: 1, filling: '' })
    await writeFile(join(folder, 'one.json'), '[]')
    await expect(snapshots.read(folder)).rejects.toMatchObject({ code: 'unavailable', charged: false })
    expect(await snapshots.readPrevious(folder)).toBeUndefined()
  })

  it.each([
    ['2026-11-20T12:00:00Z', 0],
    ['2026-11-20T06:20:00Z', 5.7],
    ['2026-10-21T12:00:00Z', 720],
    ['2026-11-20T12:05:00Z', 0],
  ])('made at %s is %s hours old', (generatedAt, hours) => {
    expect(stalenessHours(generatedAt, new Date('2026-11-20T12:00:00Z'))).toBe(hours)
  })
})
