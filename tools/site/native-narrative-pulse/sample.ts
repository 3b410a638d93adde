import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: {},
  chain: {},
} satisfies Sample
