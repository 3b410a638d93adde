import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: {},
  chain: {},
  published: { sandbox: ['/chain'], world: ['/chain'] },
} satisfies Sample
