import { defineKnowledge, lines, phrases, say, sayIf } from '../../../src/tool/knowledge.ts'
import type tool from './tool.ts'

export default defineKnowledge<typeof tool>({
  category: 'influence',
  questions: lines(`
    whose posts move volume
    which influencer has the most impact on the token
    who moves trading with tweets
    do tweets of this account move the price
    which accounts are only loud
    dollars traded around the posts of each author
    social media influence on the token
    who shills it with effect
    which kol brings buyers
    effect of posts on trading volume
    rank authors by attributed dollars
    who influences the market of a token
    which twitter accounts matter for the token
    does the hype really move the volume
    whose tweets make people buy
    who actually moves the market when they post
    do the loud accounts matter
    does posting about it do anything
    who should we pay to shill
    which loudmouths have an effect
    which poster moves money
    who influences aero
    do people buy after a tweet
  `),
  keywords: phrases(`
    influencer, influencers, influence, influences, kol, kols, tweet, tweets, tweets move price, posts, attributed dollars, impact of posts, social
    media, account effect on price, pump the coin, shill, x accounts, price impact of accounts, twitter
    accounts, influential, who moves the market, callers, shillers, ct accounts, authors
  `),
  inputs: { token: { from: 'ticker' } },
  summary: (impact) => {
    const tokens = [impact, ...Object.values(impact.tokens ?? {})]
    const [first] = tokens
      .flatMap(({ token, leaderboard = [] }) => leaderboard.slice(0, 1).map((row) => ({ token, row })))
      .toSorted((a, b) => b.row.total_attributed_usd - a.row.total_attributed_usd)
    return first === undefined
      ? say`The snapshot is ${impact.stalenessHours} hours old` + sayIf`; ${impact.error}` + '.'
      : say`${first.row.author} comes first` +
          sayIf` for ${first.token}` +
          say`, with $${first.row.total_attributed_usd} traded above the usual around ${first.row.posts} posts.`
  },
  provides: [{ kind: 'token', at: 'contract', words: 'token contract' }],
})
