import { contracts } from '../../../sandbox/addresses.ts'
import { walletOf } from '../../../sandbox/wallets.ts'
import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { items: ['payer.tollgate-demo.eth', walletOf('holder').address, contracts.dead] },
  chain: { eth_call: 3 },
  published: { sandbox: [''], world: ['/results/0/address', '/results/1/name'] },
} satisfies Sample
