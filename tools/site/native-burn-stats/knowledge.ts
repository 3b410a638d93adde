import { defineKnowledge, lines, phrases, say, sayIf, sayList } from '../../../src/tool/knowledge.ts'
import type tool from './tool.ts'

export default defineKnowledge<typeof tool>({
  category: 'tokenomics',
  only: 'native-token',
  questions: lines(`
    how much of the token has been burned so far
    what percent of the supply is burned
    is the token deflationary
    how many tokens are in the dead address
    show the latest burn transactions
    when was the last burn and how big was it
    how much supply is left after burns
    has any supply been destroyed or removed from circulation
    what is the total supply of the native token
    burn stats for the project token
    what share of the tokens sits at the burn address
    are tokens still being burned
    verify the team's burn claim
    did you guys really burn what you said
    how many coins are gone forever
    how much got torched
    is there less of the token now
    how much of your coin was destroyed
    did they really burn tokens
    how many are gone for good
  `),
  keywords: phrases(`
    burn, burn stats, burned, burnt, supply burned, dead address, burn address, destroyed, percent of supply, token supply,
    total supply, deflation, deflationary, latest burns, recent burns, tokens burned, burn rate, burned so far, circulating supply
    reduction, removed from supply, removed from circulation, torched, incinerated, sent to dead wallet
  `),
  provides: [{ kind: 'token', at: 'token', words: 'token native burned' }],
  summary: ({ burnStats }) =>
    say`${burnStats.totalBurned} tokens are burned, ${burnStats.percentBurned} percent of a supply of ${burnStats.totalSupply}.`,
  points: [
    {
      about: 'latest recent last burns transactions when happened',
      say: (output) =>
        'recentBurns' in output && output.recentBurns !== undefined
          ? `The latest burns: ${sayList(output.recentBurns, 3, (burn) => say`${burn.amountFormatted} at ${burn.timestamp}`)}.`
          : 'The latest burns are shown to paying callers and pass holders only.',
    },
    { about: 'dead burn address where', say: (output) => sayIf`Burned tokens are at ${output.deadAddress}.` },
  ],
})
