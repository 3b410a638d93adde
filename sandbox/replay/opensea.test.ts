import { describe, expect, it } from 'vitest'

import { createOpenSea } from '../../src/upstream/services/opensea.ts'
import { openSea } from './opensea.ts'

const now = new Date('2026-11-20T12:00:00Z')
const client = createOpenSea({
  http: {
    origin: 'https://api.opensea.io',
    request: async ({ path: target }) => {
      const { pathname: path, searchParams: query } = new URL(target, 'http://replay')
      const answer = openSea.answer({ method: 'GET', path, query, headers: {}, body: '' }, { now, origin: '' })
      return { status: answer?.status ?? 404, headers: {}, body: answer?.body, fetchedAt: now }
    },
  },
})

describe('the replayed OpenSea', () => {
  it.each(['tollgate-toads', 'bridge-tickets', 'quiet-plots'])('tells one story of %s', async (slug) => {
    const [facts, stats, { orders }] = await Promise.all([
      client.collection(slug),
      client.stats(slug),
      client.listings(slug, now),
    ])
    expect(facts).toMatchObject({ slug, totalSupply: expect.any(Number) as number })
    const cheapest = orders[0] === undefined ? 0 : Number(orders[0].unitWei) / 1e18
    expect(stats?.floor).toBe(cheapest)
    expect(orders.every(({ item }) => item?.contract === facts?.contracts[0]?.address)).toBe(true)
  })

  it('knows no other collection, and shows the agents of the one that has them', async () => {
    expect(await client.collection('somebody-elses')).toBeNull()
    const bound = await client.boundNfts('tollgate-toads', 2)
    expect(bound?.nfts.map(({ identifier }) => identifier)).toEqual(['7', '19'])
    const [first] = bound?.nfts ?? []
    expect((await client.nft('base', first?.contract ?? '', '7'))?.binding?.agentId).toBe('1007')
    expect((await client.nft('base', first?.contract ?? '', '8'))?.binding).toBeNull()
    expect(await client.nft('base', first?.contract ?? '', '0')).toBeNull()
  })
})
