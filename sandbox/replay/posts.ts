import type { Replay } from './replay.ts'

const hourMs = 3_600_000

/** What is said in the invented feed: so many posts in the last day, and so many in the two days before. */
const talk: readonly (readonly [text: string, recent: number, earlier: number])[] = [
  ['An AI agent paid another AI agent today, and nobody had to approve a card.', 34, 52],
  ['x402 turns a 402 into a receipt. Agent payments are quietly becoming boring, which is good.', 21, 14],
  ['Another prediction market on the harbour election.', 9, 18],
  ['Restaking points, season nine. Who still counts?', 2, 17],
  ['ERC-8257 is just a phone book for tools, and that is what was missing.', 6, 2],
  ['Every memecoin is a launchpad for the next.', 15, 44],
  ['Shipped a mini app on Base before lunch.', 8, 13],
  ['Tokenized treasuries: the RWA nobody argues about.', 5, 11],
]

/** What is said of the sandbox's own token: when, by whom. The hours of the first are those when it traded most. */
const ownTalk: readonly (readonly [hoursAgo: number, author: string, text: string])[] = [
  [9, 'harbourmaster', 'The $TOLL vault shares out again tonight.'],
  [33, 'harbourmaster', 'Bought more $TOLL at the quay.'],
  [33, 'tidewatcher', 'What is moving TOLL right now?'],
  [50, 'lanternkeeper', '$TOLL burned again. The supply shrinks.'],
  [71, 'tidewatcher', 'Quiet day for $TOLL.'],
  [100, 'fogsignal', '$toll $toll $toll to the moon'],
  [101, 'fogsignal', '$toll $toll'],
  [140, 'anchorlight', 'Reading the contract of TOLL: clean.'],
]

/** Hours of the past week in which the own token traded far more than usual; the bars agree. */
export const loudHours: readonly number[] = [9, 33]

const names = ['harbourmaster', 'tidewatcher', 'lanternkeeper', 'anchorlight', 'fogsignal', 'quaywright', 'bellringer']

type Row = { readonly id: string; readonly author: string; readonly text: string; readonly at: number }

function rowsAt(now: Date): readonly Row[] {
  const hour = Math.floor(now.getTime() / hourMs) * hourMs
  const crowd = talk.flatMap(([text, recent, earlier], story) =>
    Array.from({ length: recent + earlier }, (_value, index): Row => {
      const hoursAgo = index < recent ? 1 + (index % 22) : 25 + ((index - recent) % 46)
      const name = names[(index + story) % names.length] ?? ''
      return {
        id: `s${story}p${index}`,
        author: index % 3 === 0 ? name : `${name}_${(story * 7 + index) % 40}`,
        text,
        at: hour - hoursAgo * hourMs + (index % 60) * 60_000,
      }
    }),
  )
  const own = ownTalk.map(([hoursAgo, author, text], index): Row => {
    return { id: `t${index}`, author, text, at: hour - hoursAgo * hourMs + 600_000 }
  })
  return [...crowd, ...own].toSorted((a, b) => b.at - a.at)
}

/** A feed of posts, of people who do not exist. */
export const posts: Replay = {
  name: 'POSTS',
  notFound: { error: 'Not found' },
  answer({ path, query }, { now }) {
    if (path !== '/posts') return undefined
    const terms = (query.get('q') ?? '').split(' OR ').map((term) => term.replaceAll('"', '').toLowerCase())
    const since = Date.parse(query.get('since') ?? '')
    const limit = Number(query.get('limit') ?? '100')
    const start = Number(query.get('cursor') ?? '0')
    const found = rowsAt(now).filter(
      ({ text, at }) => at >= since && at <= now.getTime() && terms.some((term) => text.toLowerCase().includes(term)),
    )
    const page = found.slice(start, start + limit).map(({ id, author, text, at }) => ({
      id,
      author,
      text,
      createdAt: new Date(at).toISOString(),
      url: `https://posts.example/${author}/${id}`,
    }))
    return { status: 200, body: { posts: page, next: found.length > start + limit ? String(start + limit) : null } }
  },
}
