import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { collection: 'boredapeyachtclub' },
  chain: {},
} satisfies Sample
