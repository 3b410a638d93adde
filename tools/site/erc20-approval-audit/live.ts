import {
  boundedReads,
  type BoundedRead,
  cleanTextOrNull,
  UpstreamError,
  type Upstreams,
} from '../../../src/tool/tool.ts'
import { permit2, type Approval } from './approvals.ts'

type Chain = Upstreams['chain']

/** What a token says of itself; null where it says nothing. */
export type TokenNames = { readonly symbol: string | null; readonly name: string | null }

/** What a token says of its owner's affairs; null where it says nothing. */
export type Holding = {
  readonly balance: bigint | null
  readonly decimals: number | null
  /** What the owner lets Permit2 take, which bounds every allowance inside Permit2. */
  readonly toPermit2: bigint | null
  /** Whether it names an allowance for a spender whom nobody can have approved: then it names one for anybody. */
  readonly allowsAnybody: boolean
}

const selectors = {
  allowance: '0xdd62ed3e',
  allowanceInPermit2: '0x927da105',
  balanceOf: '0x70a08231',
  decimals: '0x313ce567',
  name: '0x06fdde03',
  symbol: '0x95d89b41',
} as const
/** Offset, length and 128 bytes of text. */
const textWords = 6
/** No key and no contract belong to it. */
const nobody = `0x${'a11ce0'.repeat(6)}bead`

/** What the owner allows now, at one block; null where the contract does not say. An expired allowance is none. */
export async function allowancesOf(
  chain: Chain,
  owner: string,
  approvals: readonly Approval[],
  block: number,
): Promise<readonly (bigint | null)[]> {
  if (approvals.length === 0) return []
  const reads = approvals.map(({ token, spender, viaPermit2 }) =>
    viaPermit2
      ? call(permit2, selectors.allowanceInPermit2 + word(owner) + word(token) + word(spender), 2)
      : call(token, selectors.allowance + word(owner) + word(spender)),
  )
  const [time, ...answers] = await boundedReads(chain, [{ kind: 'time' }, ...reads], tagOf(block))
  const now = time?.[0]
  // A node that lags behind does not know the block: then nothing is known, which is not the same as nothing allowed.
  if (now === undefined) throw new UpstreamError('base-rpc')
  return answers.map((answer, index) => {
    const [amount, expiration = 0n] = answer ?? []
    if (amount === undefined) return null
    return approvals[index]?.viaPermit2 === true && now > expiration ? 0n : amount
  })
}

/** What is there to be taken, by the address of the token. */
export async function holdingsOf(
  chain: Chain,
  owner: string,
  tokens: readonly string[],
  block: number,
): Promise<ReadonlyMap<string, Holding>> {
  const reads = tokens.flatMap((token) => [
    call(token, selectors.balanceOf + word(owner)),
    call(token, selectors.decimals),
    call(token, selectors.allowance + word(owner) + word(permit2)),
    call(token, selectors.allowance + word(owner) + word(nobody)),
  ])
  const answers = await boundedReads(chain, reads, tagOf(block))
  return new Map(
    tokens.map((token, index) => {
      const [balance, places, toPermit2, toNobody] = answers.slice(index * 4, index * 4 + 4)
      return [
        token,
        {
          balance: balance?.[0] ?? null,
          decimals: decimalsIn(places?.[0]),
          toPermit2: toPermit2?.[0] ?? null,
          allowsAnybody: (toNobody?.[0] ?? 0n) > 0n,
        },
      ]
    }),
  )
}

function decimalsIn(places: bigint | undefined): number | null {
  return places === undefined || places > 255n ? null : Number(places)
}

/** Which of the addresses have no code: a wallet, or nobody's. */
export async function accountsAmong(chain: Chain, addresses: readonly string[], block: number): Promise<Set<string>> {
  const reads = addresses.map((to): BoundedRead => ({ kind: 'code_size', to }))
  const sizes = await boundedReads(chain, reads, tagOf(block))
  return new Set(addresses.filter((_address, index) => sizes[index]?.[0] === 0n))
}

/** Names of tokens. Whatever a token does not say, or says wrongly, is null. */
export async function namesOf(
  chain: Chain,
  tokens: readonly string[],
  block: number,
): Promise<ReadonlyMap<string, TokenNames & Pick<Holding, 'decimals'>>> {
  const reads = tokens.flatMap((token) => [
    call(token, selectors.symbol, textWords),
    call(token, selectors.name, textWords),
    call(token, selectors.decimals),
  ])
  const answers = await boundedReads(chain, reads, tagOf(block))
  return new Map(
    tokens.map((token, index) => {
      const [symbol, name, places] = answers.slice(index * 3, index * 3 + 3)
      const decimals = decimalsIn(places?.[0])
      return [token, { symbol: cleanTextOrNull(textIn(symbol), 64), name: cleanTextOrNull(textIn(name), 64), decimals }]
    }),
  )
}

/** Text as tokens return it: an ABI string, or of old ones 32 bytes filled up with zeros. */
function textIn(words: readonly bigint[] | null | undefined): string | undefined {
  const [offset, length] = words ?? []
  if (words === null || words === undefined || offset === undefined || length === undefined) return undefined
  const bytes = Buffer.from(words.map((one) => one.toString(16).padStart(64, '0')).join(''), 'hex')
  if (offset !== 32n) return textOf(bytes.subarray(0, zeroIn(bytes.subarray(0, 32))))
  // What does not fit is cut off, and perhaps in the middle of a character.
  const isCut = length > BigInt(bytes.length - 64)
  const text = textOf(bytes.subarray(64, isCut ? bytes.length : 64 + Number(length)), isCut)
  return text
}

function zeroIn(bytes: Buffer): number {
  const at = bytes.indexOf(0)
  return at < 0 ? bytes.length : at
}

function textOf(bytes: Buffer, isCut = false): string | undefined {
  const text = bytes.toString('utf8')
  const whole = isCut ? text.replace(/\ufffd+$/, '') : text
  return whole.includes('\ufffd') ? undefined : whole
}

function call(to: string, data: string, words = 1): BoundedRead {
  return { kind: 'call', to, data, words }
}

function tagOf(block: number): string {
  return `0x${block.toString(16)}`
}

function word(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}
