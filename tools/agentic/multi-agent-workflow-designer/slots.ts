import type { Json, Slot } from './entry.ts'
import type { Entities } from './entities.ts'
import { stem, wordsOf } from './words.ts'

/** The part of the goal that a step answers. */
export type Passage = { readonly text: string; readonly entities: Entities }

/** Reads a slot's value from a passage; undefined where the passage does not say. */
export function valueIn(
  slot: Slot,
  { text, entities }: Passage,
  isCatalogWord: (stem: string) => boolean,
): Json | undefined {
  return readers[slot](text, entities, isCatalogWord)
}

type Reader = (text: string, entities: Entities, isCatalogWord: (stem: string) => boolean) => Json | undefined

const readers: Readonly<Record<Slot, Reader>> = {
  address: (_, { address }) => address[0],
  agent_name: (text) =>
    /\b(?:called|named)\s+["“']?([\p{L}\p{N}][\p{L}\p{N}_-]{0,63})/iu.exec(text)?.[1] ??
    /["“]([^"”]{1,64})["”]/.exec(text)?.[1],
  coin_id: (text) => coinIn(text)?.id,
  collection: collectionIn,
  goal: (text) => (text.length >= 8 ? text : undefined),
  name_or_address: (_, { ens, address }) =>
    ens.length + address.length > 0 ? [...ens, ...address].slice(0, 20) : undefined,
  query: (text, { ticker, address }) => ticker[0] ?? address[0] ?? /\b[A-Z]{3,10}\b/.exec(text)?.[0] ?? freeText(text),
  question: (text) => freeText(text),
  repo: (_, { repo }) => repo[0],
  symbol: (text, { ticker }) => ticker[0]?.toUpperCase() ?? coinIn(text)?.symbol,
  url: (_, { url }) => url[0],
  usd_amount: (_, { usd }) => usd.map(amountOf).find((amount) => amount >= 10 && amount <= 100_000),
}

const coins = [
  { names: /\b(bitcoin|btc)\b/i, id: 'bitcoin', symbol: 'BTC' },
  { names: /\b(ethereum|eth|ether)\b/i, id: 'ethereum', symbol: 'ETH' },
  { names: /\b(solana|sol)\b/i, id: 'solana', symbol: 'SOL' },
  { names: /\b(usdc|usd coin)\b/i, id: 'usd-coin', symbol: 'USDC' },
] as const

function coinIn(text: string) {
  return coins.find(({ names }) => names.test(text))
}

function freeText(text: string): string | undefined {
  // 200 characters is what the tools that take a question accept; a pair of surrogates is not cut in two.
  const cut = text
    .slice(0, 200)
    .replace(/\p{Cs}$/u, '')
    .trim()
  return cut === '' ? undefined : cut
}

function amountOf(text: string): number {
  const plain = Number(text.replaceAll(/[,k]/gi, ''))
  return /k$/i.test(text) ? plain * 1000 : plain
}

/** A collection's slug: a quoted word, a word with hyphens, or the name beside `collection`, `nft`, `of` or `for`. */
function collectionIn(text: string, _: Entities, isCatalogWord: (stem: string) => boolean): string | undefined {
  const isName = (word: string | undefined): word is string =>
    word !== undefined &&
    /^[a-z0-9][a-z0-9-]*[a-z0-9]$/.test(word) &&
    wordsOf(word).some((part) => !isCatalogWord(stem(part)))
  const lower = text.toLowerCase()
  return [
    /["“'`]([a-z0-9-]+)["”'`]/.exec(lower)?.[1],
    /\b([a-z0-9]+(?:-[a-z0-9]+)+)\b/.exec(lower)?.[1],
    ...Array.from(
      lower.matchAll(/\b(?:collections?|of|for|in|on|buy|sweep)\s+(?:the\s+)?([a-z0-9-]+)/g),
      ([, word]) => word,
    ),
    ...Array.from(lower.matchAll(/\b([a-z0-9-]+)\s+(?:nfts?|collections?|listings?|floor)\b/g), ([, word]) => word),
  ].find(isName)
}
