import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { collection: 'tollgate-toads' },
  chain: {},
} satisfies Sample
