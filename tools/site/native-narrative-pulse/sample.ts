import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: {},
  chain: {},
  published: { sandbox: ['/window'], world: ['/window'], mayDiffer: ['/transitions/', '/reflexivity', '/narratives/'] },
} satisfies Sample
