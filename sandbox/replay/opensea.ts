import { publicSubjects } from '../public-subjects.ts'
import { residentOf } from '../wallets.ts'
import { etherUsd } from './market.ts'
import { segmentsOf, type Replay } from './replay.ts'

/** A collection of the sandbox's marketplace; everything else about it follows from this. */
type Collection = {
  readonly slug: string
  readonly name: string
  readonly chain: string
  readonly supply: number
  readonly owners: number
  readonly creatorFee: number
  /** What the cheapest items are listed for, in ether, cheapest first. */
  readonly asks: readonly number[]
  /** What is offered for any item, in ether. */
  readonly bids: readonly number[]
  readonly salesToday: number
  readonly volumeToday: number
  readonly volumeEver: number
  readonly salesEver: number
  /** Numbers of the items that are bound to an agent. */
  readonly bound: readonly number[]
  /** Where it really lives, for a collection that really exists. */
  readonly contract?: string
  /** True where an item comes in numbers (ERC-1155): every ask is then for two of it. */
  readonly inNumbers: boolean
}

const collections: readonly Collection[] = [
  {
    slug: 'tollgate-toads',
    name: 'Tollgate Toads',
    chain: 'base',
    supply: 3333,
    owners: 1210,
    creatorFee: 5,
    asks: Array.from({ length: 44 }, (_, index) => round(0.081 + index * 0.0015 + (index > 30 ? 0.02 : 0))),
    bids: [0.074, 0.0725, 0.07, 0.07, 0.066, 0.05],
    salesToday: 12,
    volumeToday: 1.0044,
    volumeEver: 918.25,
    salesEver: 7410,
    bound: [7, 19, 404],
    inNumbers: false,
  },
  {
    slug: publicSubjects.collection.slug,
    name: 'Bored Ape Yacht Club',
    chain: 'ethereum',
    contract: publicSubjects.collection.contract,
    supply: 10_000,
    owners: 5_412,
    creatorFee: 2.5,
    asks: Array.from({ length: 60 }, (_, index) => round(9.8 + index * 0.05)),
    bids: [9.6, 9.55, 9.4],
    salesToday: 7,
    volumeToday: 69.3,
    volumeEver: 1_412_300.5,
    salesEver: 61_020,
    bound: [],
    inNumbers: false,
  },
  {
    slug: publicSubjects.agentCollection,
    name: 'Normies',
    chain: 'ethereum',
    supply: 10_000,
    owners: 3_870,
    creatorFee: 5,
    asks: [0.12, 0.122, 0.125, 0.13],
    bids: [0.11],
    salesToday: 3,
    volumeToday: 0.37,
    volumeEver: 812.4,
    salesEver: 5_210,
    bound: [7, 19, 404],
    inNumbers: false,
  },
  {
    slug: 'bridge-tickets',
    name: 'Bridge Tickets',
    chain: 'ethereum',
    supply: 500,
    owners: 180,
    creatorFee: 2.5,
    asks: [0.01, 0.012, 0.012, 0.02],
    bids: [0.009],
    salesToday: 1,
    volumeToday: 0.012,
    volumeEver: 31.5,
    salesEver: 2100,
    bound: [],
    inNumbers: true,
  },
  {
    slug: 'quiet-plots',
    name: 'Quiet Plots',
    chain: 'base',
    supply: 100,
    owners: 1,
    creatorFee: 0,
    asks: [],
    bids: [],
    salesToday: 0,
    volumeToday: 0,
    volumeEver: 0,
    salesEver: 0,
    bound: [],
    inNumbers: false,
  },
]

const marketplace = '0x0000a26b00c1f0df003000390027140000faa719'
const bindingRegistry = residentOf('agent bindings')
const identityRegistry = '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432'

/** OpenSea's API, as far as collections, their orders and their agents go. */
export const openSea: Replay = {
  name: 'OPENSEA',
  notFound: { errors: ['Not found'] },
  answer({ path, query }, { now }) {
    const [api, version, ...rest] = segmentsOf(path)
    if (api !== 'api' || version !== 'v2') return undefined
    const limit = Math.min(Math.max(Number(query.get('limit') ?? 20), 1), 200)
    const from = Number(query.get('next') ?? 0)
    const [first, second, third] = rest
    if (first === 'collections') return about(second, (one) => (third === 'stats' ? statsOf(one) : factsOf(one)))
    if (first === 'offers' && second === 'collection') {
      return about(third, (one) => ({ offers: one.bids.map((ether, index) => offerOf(one, ether, index, now)) }))
    }
    if (first === 'listings' && second === 'collection' && rest[3] === 'best') {
      return about(third, (one) => {
        const page = one.asks.slice(from, from + limit)
        const isLast = from + limit >= one.asks.length
        const listings = page.map((ether, index) => listingOf(one, ether, from + index, now))
        return { listings, ...(isLast ? {} : { next: String(from + limit) }) }
      })
    }
    if (first === 'collection' && third === 'nfts') {
      const numbers = query.get('has_agent_binding') === 'true' ? undefined : [1, 2, 3, 4, 5]
      return about(second, (one) => ({
        nfts: (numbers ?? one.bound).slice(from, from + limit).map((number) => nftOf(one, number, now)),
      }))
    }
    if (first === 'chain' && third === 'contract' && rest[4] === 'nfts') {
      const one = collections.find((known) => contractOf(known) === rest[3]?.toLowerCase() && known.chain === second)
      const number = Number(rest[5])
      if (one === undefined || !(number >= 1 && number <= one.supply)) return undefined
      return { status: 200, body: { nft: { ...nftOf(one, number, now), agent_binding: bindingOf(one, number) } } }
    }
    return undefined
  },
}

function about(slug: string | undefined, bodyOf: (collection: Collection) => unknown) {
  const collection = collections.find((known) => known.slug === slug)
  return collection === undefined
    ? { status: 404, body: { errors: [`Collection ${slug} not found`] } }
    : { status: 200, body: bodyOf(collection) }
}

function factsOf(collection: Collection): unknown {
  const { slug, name, chain, supply, creatorFee } = collection
  const token = { symbol: 'ETH', address: `0x${'0'.repeat(40)}`, chain, decimals: 18, usd_price: String(etherUsd) }
  return {
    sandbox: true,
    collection: slug,
    name,
    contracts: [{ address: contractOf(collection), chain }],
    total_supply: supply,
    unique_item_count: supply,
    fees: [
      { fee: 1, recipient: marketplace, required: true },
      ...(creatorFee === 0 ? [] : [{ fee: creatorFee, recipient: residentOf(`maker of ${slug}`), required: false }]),
    ],
    pricing_currencies: { listing_currency: token, offer_currency: { ...token, symbol: 'WETH' } },
    is_disabled: false,
    is_nsfw: false,
    opensea_url: `https://opensea.io/collection/${slug}`,
    created_date: '2026-02-11',
  }
}

function statsOf(collection: Collection): unknown {
  const { owners, asks, volumeEver, salesEver, volumeToday, salesToday } = collection
  const interval = (name: string, times: number): unknown => ({
    interval: name,
    volume: round(volumeToday * times),
    volume_symbol: 'ETH',
    sales: salesToday * times,
  })
  return {
    total: {
      volume: volumeEver,
      volume_symbol: 'ETH',
      sales: salesEver,
      num_owners: owners,
      floor_price: (asks[0] ?? 0) / (collection.inNumbers ? 2 : 1),
      floor_price_symbol: asks.length === 0 ? '' : 'ETH',
    },
    intervals: [interval('one_day', 1), interval('seven_day', 6), interval('thirty_day', 22)],
  }
}

function listingOf(collection: Collection, ether: number, index: number, now: Date): unknown {
  const { slug, chain, inNumbers } = collection
  const amount = inNumbers ? '2' : '1'
  const item = {
    itemType: inNumbers ? 3 : 2,
    token: contractOf(collection),
    identifierOrCriteria: String(100 + index),
    startAmount: amount,
    endAmount: amount,
  }
  return {
    ...orderOf(slug, 'ask', index, chain),
    type: 'basic',
    remaining_quantity: Number(amount),
    price: { current: { currency: 'ETH', decimals: 18, value: weiOf(ether) } },
    protocol_data: {
      parameters: parametersOf(`seller ${index} of ${slug}`, now, { offer: [item], consideration: [] }),
    },
    asset: { identifier: String(100 + index), contract: contractOf(collection) },
  }
}

function offerOf(collection: Collection, ether: number, index: number, now: Date): unknown {
  const { slug, chain, inNumbers } = collection
  // The second best bidder wants two: the price is for both.
  const amount = index === 1 ? 2 : 1
  const wanted = {
    itemType: inNumbers ? 5 : 4,
    token: contractOf(collection),
    identifierOrCriteria: '0',
    startAmount: String(amount),
    endAmount: String(amount),
  }
  return {
    ...orderOf(slug, 'bid', index, chain),
    remaining_quantity: amount,
    price: { currency: 'WETH', decimals: 18, value: weiOf(ether * amount) },
    criteria: { collection: { slug }, contract: { address: contractOf(collection) } },
    protocol_data: {
      parameters: parametersOf(`bidder ${index} of ${slug}`, now, { offer: [], consideration: [wanted] }),
    },
  }
}

function orderOf(slug: string, side: string, index: number, chain: string) {
  return {
    order_hash: `${residentOf(`${side} ${index} of ${slug}`)}${'0'.repeat(24)}`,
    chain,
    status: 'ACTIVE',
    protocol_address: '0x0000000000000068f116a894984e2db1123eb395',
  }
}

function parametersOf(who: string, now: Date, items: { readonly offer: unknown; readonly consideration: unknown }) {
  const seconds = Math.floor(now.getTime() / 1000)
  return { offerer: residentOf(who), startTime: String(seconds - 3600), endTime: String(seconds + 86_400), ...items }
}

function nftOf(collection: Collection, number: number, now: Date) {
  const { slug, name, chain, inNumbers } = collection
  const contract = contractOf(collection)
  return {
    identifier: String(number),
    collection: slug,
    contract,
    token_standard: inNumbers ? 'erc1155' : 'erc721',
    name: `${name} #${number}`,
    image_url: `https://images.tollgate-demo.example/${slug}/${number}.png`,
    opensea_url: `https://opensea.io/item/${chain}/${contract}/${number}`,
    updated_at: now.toISOString(),
    is_disabled: false,
    is_nsfw: false,
    traits: [],
  }
}

function bindingOf({ bound, slug }: Collection, number: number): unknown {
  if (!bound.includes(number)) return null
  return {
    agent_id: String(1000 + number),
    binding_contract: bindingRegistry,
    agent: { chain: 'base', token_id: String(1000 + number), contract_address: identityRegistry },
    registered_by: residentOf(`owner of ${slug} ${number}`),
  }
}

function contractOf({ slug, contract }: Collection): string {
  return contract ?? residentOf(`contract of ${slug}`).toLowerCase()
}

function weiOf(ether: number): string {
  return (BigInt(Math.round(ether * 1e6)) * 10n ** 12n).toString()
}

function round(ether: number): number {
  return Math.round(ether * 1e6) / 1e6
}
