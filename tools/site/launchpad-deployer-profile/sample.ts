import { walletOf } from '../../../sandbox/wallets.ts'
import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { address: walletOf('holder').address },
  chain: {},
} satisfies Sample
