import { createHash } from 'node:crypto'

/** Chance that can be repeated: the same seed and name give the same throws. */
export type Dice = {
  readonly below: (limit: number) => number
  readonly between: (least: number, most: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(list: readonly [T, ...T[]]) => T
  /** Picks a name by its weight. */
  readonly weighted: <T extends string>(weights: Readonly<Record<T, number>>) => T
  readonly hex: (bytes: number) => `0x${string}`
}

export function createDice(seed: number, name: string): Dice {
  let count = 0
  let pool = Buffer.alloc(0)
  const take = (bytes: number): Buffer => {
    while (pool.length < bytes) {
      count += 1
      pool = Buffer.concat([pool, createHash('sha256').update(`${seed}|${name}|${count}`).digest()])
    }
    const taken = pool.subarray(0, bytes)
    pool = pool.subarray(bytes)
    return taken
  }
  const part = (): number => take(4).readUInt32BE(0) / 2 ** 32
  const below = (limit: number): number => Math.floor(part() * limit)
  return {
    below,
    between: (least, most) => least + Math.floor(part() * (most - least + 1)),
    chance: (probability) => part() < probability,
    pick: (list) => list[below(list.length)] ?? list[0],
    weighted: <T extends string>(weights: Readonly<Record<T, number>>): T => {
      const names = Object.keys(weights) as [T, ...T[]]
      let left = part() * names.reduce((sum, one) => sum + weights[one], 0)
      for (const one of names) {
        left -= weights[one]
        if (left < 0) return one
      }
      return names[0]
    },
    hex: (bytes) => `0x${take(bytes).toString('hex')}`,
  }
}
