import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { limit: 3 },
  chain: {},
  published: { sandbox: ['/sort', '/timeframe'], world: ['/sort', '/timeframe'] },
} satisfies Sample
