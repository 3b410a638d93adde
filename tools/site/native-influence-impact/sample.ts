import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: {},
  chain: {},
  published: { mayDiffer: ['/tokens/'] },
} satisfies Sample
