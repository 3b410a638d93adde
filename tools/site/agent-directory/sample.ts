import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { limit: 25 },
  chain: { eth_call: 1 },
  published: { sandbox: ['/chain', '/registry'], world: ['/chain', '/registry'] },
} satisfies Sample
