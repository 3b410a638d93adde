import { type RawCall, type RawResult, zeroAddress } from '../chain/abi.ts'
import type { CodeReader } from './code-reader.ts'

/** Who can decide about a contract. */
export type Controller = {
  readonly address: string
  readonly kind: 'none' | 'account' | 'multisig' | 'timelock' | 'contract'
}

/** Selectors of what timelocks and multisigs answer. */
const asks = { getMinDelay: '0xf27a0c92', delay: '0x6a42b8f8', getThreshold: '0xe75235b8' } as const

/** Tells accounts, multisigs and timelocks apart by their code and by what they answer. */
export async function kindsOf(
  reader: CodeReader,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Controller['kind']>> {
  const live = addresses.filter((address) => address !== zeroAddress)
  if (live.length === 0) return new Map()
  const questions = [asks.getMinDelay, asks.delay, asks.getThreshold]
  const [sizes, answers] = await Promise.all([
    reader.codeSizes(live),
    reader.readAll(live.flatMap((to) => questions.map((data): RawCall => ({ to, data })))),
  ])
  return new Map(
    live.map((address, index) => {
      if (sizes[index] === 0) return [address, 'account']
      const [minDelay, delay, threshold] = questions.map((_ask, ask) => isWord(answers[index * questions.length + ask]))
      if (minDelay === true || delay === true) return [address, 'timelock']
      return [address, threshold === true ? 'multisig' : 'contract']
    }),
  )
}

/** Whether a call returned one word. */
export function isWord(result: RawResult | undefined): boolean {
  return result?.success === true && result.data.length === 66
}
