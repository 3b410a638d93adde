import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { collection: 'tollgate-toads', chain: 'base', limit: 2 },
  chain: {},
} satisfies Sample
