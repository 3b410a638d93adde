import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { repo: 'tollgate-demo/paid-weather' },
  published: { sandbox: ['/repo', '/metadata/license'], world: ['/repo', '/metadata/license'] },
} satisfies Sample
