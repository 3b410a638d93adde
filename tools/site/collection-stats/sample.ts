import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { slug: 'boredapeyachtclub' },
  chain: {},
} satisfies Sample
