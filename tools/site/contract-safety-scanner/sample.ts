import { contracts } from '../../../sandbox/addresses.ts'
import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { address: contracts.usdc },
  chain: { eth_getCode: 1, eth_call: 5, eth_simulateV1: 1 },
} satisfies Sample
