import { identityOf, noOf, sandboxEvents } from './prediction-markets.ts'
import { type Replay, segmentsOf } from './replay.ts'

/** Polymarket's order books: the middle of a book, and how a market ended. */
export const clob: Replay = {
  name: 'CLOB',
  notFound: { error: 'market not found' },
  answer({ method, path, body }) {
    const markets = sandboxEvents.flatMap((event) => event.markets)
    if (path === '/midpoints' && method === 'POST') {
      const mids = new Map(
        markets.flatMap(({ slug, yes, state }) => {
          const [first = '', second = ''] = identityOf(slug).tokenIds
          return state === 'resolved' ? [] : [[first, yes] as const, [second, noOf(yes)] as const]
        }),
      )
      const asked = [...body.matchAll(/"token_id"\s*:\s*"(\d+)"/g)].map(([, tokenId = '']) => tokenId)
      return {
        status: 200,
        body: Object.fromEntries(asked.filter((id) => mids.has(id)).map((id) => [id, String(mids.get(id))])),
      }
    }
    const [kind, conditionId] = segmentsOf(path)
    const market = markets.find(({ slug }) => kind === 'markets' && identityOf(slug).conditionId === conditionId)
    if (market === undefined) return undefined
    const prices = [market.yes, noOf(market.yes)]
    return {
      status: 200,
      body: {
        condition_id: conditionId,
        market_slug: market.slug,
        closed: market.state === 'resolved',
        tokens: ['Yes', 'No'].map((outcome, index) => ({
          token_id: identityOf(market.slug).tokenIds[index],
          outcome,
          price: prices[index],
          winner: market.state === 'resolved' && prices[index] === 1,
        })),
      },
    }
  },
}
