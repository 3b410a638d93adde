import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { repo: 'tollgate-demo/paid-weather' },
} satisfies Sample
