import { contracts } from '../../../sandbox/addresses.ts'
import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { address: contracts.usdc },
  // Little is done with certificates: to try out all that USDC does takes fifteen times as much of the processor.
  small: { address: contracts.certificates },
  chain: {
    eth_getCode: 19,
    eth_call: 17,
    eth_getBalance: 1,
    eth_getBlockByNumber: 1,
    eth_getLogs: 1,
    eth_simulateV1: 6,
  },
  published: {
    sandbox: ['/contract', '/safetyLevel', '/risks', '/details'],
    world: ['/contract', '/details/isProxy', '/details/isVerified'],
  },
} satisfies Sample
