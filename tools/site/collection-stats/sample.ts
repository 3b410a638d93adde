import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { slug: 'tollgate-toads' },
  chain: {},
} satisfies Sample
