import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { collection: 'normies', chain: 'ethereum', limit: 2 },
  chain: {},
} satisfies Sample
