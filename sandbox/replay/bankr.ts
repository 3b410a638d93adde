import { segmentsOf, type Replay } from './replay.ts'

/** People of the invented launchpad, in the order of their total score. */
const people = [
  {
    name: 'harbourmaster',
    staking: 5200,
    bnkr: 12_000,
    earn: 88,
    pnl: -310,
    nft: 3,
    referral: 2,
    booster: 4,
    mindshare: 0.02,
  },
  {
    name: 'tidewatcher',
    staking: 4100,
    bnkr: 9_000,
    earn: 140,
    pnl: 900,
    nft: 1,
    referral: 0,
    booster: 9,
    mindshare: 0.11,
  },
  {
    name: 'lanternkeeper',
    staking: 150,
    bnkr: 15_500,
    earn: 12,
    pnl: 2_200,
    nft: 0,
    referral: 7,
    booster: 1,
    mindshare: 0.31,
  },
  { name: 'anchorlight', staking: 900, bnkr: 400, earn: 0, pnl: 55, nft: 12, referral: 1, booster: 0, mindshare: 0.05 },
  { name: 'fogsignal', staking: 0, bnkr: 250, earn: 3, pnl: -20, nft: 0, referral: 0, booster: 2, mindshare: 0.01 },
] as const

const kinds = ['staking', 'bnkr', 'earn', 'pnl', 'nft', 'referral', 'booster', 'mindshare'] as const
type Kind = (typeof kinds)[number]
type Person = (typeof people)[number]

const most = (kind: Kind): number => Math.max(...people.map((person) => person[kind]))
const scoreOf = (person: Person, kind: Kind): number =>
  Math.max(0, Math.round((person[kind] / most(kind)) * 1_000) / 1_000)
const totalOf = (person: Person): number =>
  Math.round((kinds.reduce((sum, kind) => sum + scoreOf(person, kind), 0) / kinds.length) * 1_000) / 1_000

/** The launchpad's ranking. */
export const bankr: Replay = {
  name: 'BANKR',
  notFound: { error: 'Not found' },
  answer({ path, query }) {
    const [area, list] = segmentsOf(path)
    if (area !== 'leaderboard' || list !== 'rankings') return undefined
    const type = query.get('type') ?? 'total'
    const kind = kinds.find((one) => one === type)
    if (kind === undefined && type !== 'total') return { status: 400, body: { error: 'Invalid type' } }
    const order = kind === undefined ? totalOf : (person: Person): number => scoreOf(person, kind)
    const ranked = [...people].sort((a, b) => order(b) - order(a))
    const start = Number(query.get('cursor') ?? '0')
    const data = ranked.slice(start, start + Number(query.get('limit') ?? '20')).map((person, index) => ({
      accountId: `demo-${person.name}`,
      username: person.name,
      profileImageUrl: `https://images.example/${person.name}.png`,
      platform: 'twitter',
      rank: start + index + 1,
      scores: {
        total: { score: totalOf(person), raw: totalOf(person) },
        ...Object.fromEntries(kinds.map((one) => [one, { score: scoreOf(person, one), raw: person[one] }])),
        partner: { score: scoreOf(person, 'booster'), raw: person.booster },
      },
      totalScore: totalOf(person),
    }))
    return { status: 200, body: { data } }
  },
}
