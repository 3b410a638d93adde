import { walletOf } from '../../../sandbox/wallets.ts'
import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { owner: walletOf('payer').address },
  chain: { eth_blockNumber: 1, eth_getLogs: 1, eth_call: 4 },
} satisfies Sample
