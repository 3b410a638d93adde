import { walletOf } from '../../../sandbox/wallets.ts'
import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { address: walletOf('payer').address },
  published: { sandbox: ['/address', '/tokens/0/symbol', '/tokens/2/contract'], world: ['/address'] },
} satisfies Sample
