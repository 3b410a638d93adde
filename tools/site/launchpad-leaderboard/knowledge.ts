import { defineKnowledge, lines, phrases, say, sayList } from '../../../src/tool/knowledge.ts'
import type tool from './tool.ts'

export default defineKnowledge<typeof tool>({
  category: 'influence',
  questions: lines(`
    who leads the launchpad this week
    launchpad leaderboard
    top creators of the launch platform
    who earns most on the launchpad
    ranking by mindshare
    best traders by pnl today
    who has the most referrals
    top ten of the launchpad by staking
    who is number one of the month
    most active people of the launchpad
    leaders by profit and loss over thirty days
    which handle ranks first
    who holds the most nfts on the leaderboard
    how are the leaders doing in the last 24 hours
    top partners
    who is winning on the launchpad
    who makes the most there
    who is on top of the launch platform
    best people of the launchpad
    who brought in the most people
    who rules the board this week
    leaders of the launchpad
    who is killing it on the launchpad
  `),
  keywords: phrases(`
    leaderboard, launchpad leaderboard, top creators, top traders, ranking, rank, pnl, profit, launchpad, launch
    platform, best performers, referral ranking, leaders, referral leaderboard, mindshare ranking, earners,
    who earns most, top 10, best creators, nft score ranking, referrals, referral
  `),
  inputs: {
    sort: {
      from: 'choice',
      words: {
        staking: 'staking, staked, stakers, stake',
        bnkr: 'bnkr',
        mindshare: 'mindshare, attention, talked about',
        earn: 'earn, earns, earned, earnings, earners, income',
        partner: 'partner, partners',
        pnl: 'pnl, profit, profits, profit and loss, gains, traders',
        nft: 'nft, nfts',
        referral:
          'referral, referrals, referred, invites, referrers, invited, invite, invitations, recruits, recruited, newcomers, brought in',
        total: 'overall, total score, all categories',
      },
    },
    timeframe: {
      from: 'choice',
      words: {
        '24h': '24h, 24 hours, today, tonight, day, daily, last day, past day, yesterday',
        '7d': '7d, week, weekly, 7 days, seven days',
        '30d': '30d, month, monthly, 30 days, thirty days',
        total: 'all time, all times, ever, overall, lifetime, since it began, since the start, since the beginning',
      },
    },
    limit: {
      from: 'number',
      of: 'top first best leaders people creators traders rows names handles entries earners places',
    },
  },
  summary: ({ sort, timeframe, data }) =>
    say`The launchpad by ${sort} (${timeframe}): ` +
    sayList(data, 5, ({ rank, handle, score }) => say`${rank}. ${handle} (${score})`, 'nobody') +
    '.',
})
