import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { collection: 'boredapeyachtclub' },
  chain: {},
  published: { sandbox: ['/collection'], world: ['/collection'] },
} satisfies Sample
