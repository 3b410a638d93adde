import { contracts } from '../../../sandbox/addresses.ts'
import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { address: contracts.usdc },
  chain: { eth_getCode: 1, eth_call: 3 },
  published: {
    sandbox: ['/address', '/name', '/abi', '/proxy', '/verification'],
    world: ['/address', '/proxy/isProxy', '/verification/isVerified'],
  },
} satisfies Sample
