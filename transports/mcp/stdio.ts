import type { HouseParts } from '../house.ts'

export async function runStdio(_parts: HouseParts): Promise<number> {
  return 1
}
