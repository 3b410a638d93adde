import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { blocks: 5 },
} satisfies Sample
