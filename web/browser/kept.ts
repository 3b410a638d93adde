import { isRecord, parsed } from './dom.ts'

/**
 * A signed payment as it is kept in this tab. It is kept before it is sent: a page that is left or loaded again in the
 * middle finds it here and asks with it again, which costs nothing more, instead of signing another.
 */
export type Kept = {
  readonly input: string
  readonly key: string
  readonly header: string
  readonly usd: string
  readonly payer: string
  /** Unix seconds after which it can no longer be taken. */
  readonly validBefore: number
  /** Whether its answer has been seen here. */
  readonly isAnswered: boolean
}

const nameOf = (place: string): string => `tollgate.payment ${place}`

export function keep(place: string, payment: Kept): void {
  sessionStorage.setItem(nameOf(place), JSON.stringify(payment))
}

export function forget(place: string): void {
  sessionStorage.removeItem(nameOf(place))
}

/** The payment that was last signed at a place of this tab. */
export function keptAt(place: string): Kept | undefined {
  const value = parsed(sessionStorage.getItem(nameOf(place)))
  if (!isRecord(value)) return undefined
  const { input, key, header, usd, payer, validBefore, isAnswered } = value
  const isWhole =
    typeof input === 'string' &&
    typeof key === 'string' &&
    typeof header === 'string' &&
    typeof usd === 'string' &&
    typeof payer === 'string' &&
    typeof validBefore === 'number' &&
    typeof isAnswered === 'boolean'
  return isWhole ? { input, key, header, usd, payer, validBefore, isAnswered } : undefined
}
