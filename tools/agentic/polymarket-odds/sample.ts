import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { question: 'will-veltria-join-the-customs-union-this-term' },
} satisfies Sample
