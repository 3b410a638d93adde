import { walletOf } from '../../../sandbox/wallets.ts'
import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { address: walletOf('holder').address },
  chain: {},
  published: { sandbox: ['/address'], world: ['/address'] },
} satisfies Sample
