import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Dice } from './dice.ts'

/** What the disk under a ledger is like: well; full, so that nothing grows or is made; or read-only. */
export type DiskMode = 'well' | 'full' | 'read-only'

/** The disk under the ledger of one folder, which fails as it is told. */
export type Disk = {
  /** For every process that writes to the ledger. */
  readonly env: Readonly<Record<string, string>>
  readonly set: (mode: DiskMode) => void
  /** All that was written is flushed. No process may have the ledger open. */
  readonly flush: () => void
  /**
   * What was not flushed is lost, all of it or some sectors. No process may have the ledger open.
   * @returns how many bytes lie in sectors of the ledger's files that are others than before.
   */
  readonly losePower: (dice: Dice) => number
}

const source = fileURLToPath(new URL('disk.c', import.meta.url))
const modes: readonly DiskMode[] = ['well', 'full', 'read-only']
/** A disk writes a sector or it does not. */
const sectorBytes = 512
const pages = 1 << 18

/**
 * Makes the disk under a ledger, out of a library that is loaded into each process before the system's own (disk.c).
 * @param folder of the ledger; it is there. @param beside a folder for what is flushed, without a space in its path.
 * @returns the disk, or a sentence why there is none here.
 */
export function makeDisk(folder: string, beside: string): Disk | string {
  if (process.platform !== 'linux') return 'Faults of the disk need Linux (LD_PRELOAD).'
  const library = join(beside, 'disk.so')
  mkdirSync(beside, { recursive: true })
  const flags = ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl']
  const made = spawnSync('cc', flags, { encoding: 'utf8' })
  if (made.error !== undefined) return 'Faults of the disk need a C compiler (cc), and there is none here.'
  if (made.status !== 0) return `Faults of the disk cannot be made here: ${made.stderr.trim()}`
  const shadows = realpathSync(beside)
  const modeFile = join(shadows, 'mode')
  writeFileSync(modeFile, Uint8Array.of(0))
  const ledger = join(realpathSync(folder), 'ledger.db')
  const files = [
    { file: ledger, shadow: join(shadows, 'ledger') },
    { file: `${ledger}-wal`, shadow: join(shadows, 'wal') },
  ]
  return {
    env: { LD_PRELOAD: join(shadows, 'disk.so'), TOLLGATE_STORM_LEDGER: ledger, TOLLGATE_STORM_SHADOW: shadows },
    // Written in place: every process has the byte in its memory.
    set: (mode) => writeFileSync(modeFile, Uint8Array.of(modes.indexOf(mode)), { flag: 'r+' }),
    flush: () => {
      for (const { file, shadow } of files) {
        if (existsSync(file)) putFlushed(shadow, readFileSync(file))
        else rmSync(shadow, { force: true })
      }
    },
    losePower: (dice) => {
      // With a chance of nothing all is lost; else each sector that differs may have reached the disk in time.
      const reached = dice.pick([0, 0, 0.1, 0.5, 0.9])
      return files.reduce((lost, { file, shadow }) => lost + loseUnflushed(file, shadow, dice, reached), 0)
    },
  }
}

/** Puts what was flushed in the file's place. */
function loseUnflushed(file: string, shadow: string, dice: Dice, reached: number): number {
  if (!existsSync(file)) return 0
  const written = readFileSync(file)
  const flushed = existsSync(shadow) ? readFileSync(shadow) : Buffer.alloc(0)
  const size = reached > 0 ? Math.max(written.length, flushed.length) : flushed.length
  const left = Buffer.alloc(size)
  let lost = Math.max(0, written.length - size)
  for (let at = 0; at < size; at += sectorBytes) {
    const now = written.subarray(at, at + sectorBytes)
    const before = flushed.subarray(at, at + sectorBytes)
    const isKept = now.equals(before) || (reached > 0 && dice.chance(reached))
    const sector = isKept ? now : before
    left.set(sector, at)
    if (!isKept) lost += now.length
  }
  writeFileSync(file, left)
  putFlushed(shadow, left)
  return lost
}

function putFlushed(shadow: string, bytes: Uint8Array): void {
  writeFileSync(shadow, bytes)
  writeFileSync(`${shadow}.unflushed`, Buffer.alloc(pages))
}
