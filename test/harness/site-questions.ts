import { contracts } from '../../sandbox/addresses.ts'
import { walletOf } from '../../sandbox/wallets.ts'

/** What each site tool is asked in the sandbox, as text that a query can carry. */
export const siteQuestions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'agent-binding-scout': { collection: 'tollgate-toads', chain: 'base', limit: 2 },
  'agent-cert-check': { address: walletOf('holder').address },
  'agent-directory': { limit: 25 },
  'agent-trust-score': { address: walletOf('holder').address },
  ask: { question: 'How much of the native token has been burned?' },
  'chain-ecosystem-radar': {},
  'collection-stats': { slug: 'tollgate-toads' },
  'contract-abi-inspector': { address: contracts.usdc },
  'contract-safety-scanner': { address: contracts.usdc },
  'ens-resolver': { items: ['payer.tollgate-demo.eth', walletOf('holder').address, contracts.dead] },
  'erc20-approval-audit': { owner: walletOf('payer').address },
  'launchpad-deployer-profile': { address: walletOf('holder').address },
  'launchpad-leaderboard': { limit: 3 },
  'native-burn-stats': {},
  'native-influence-impact': {},
  'native-narrative-pulse': {},
  'native-stakers-leaderboard': { limit: 5 },
  'native-sweep-forecast': { collection: 'tollgate-toads' },
  'native-whale-alerts': { thresholdUsd: 1000, lookbackBlocks: 1000 },
}
