import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { question: 'will-veltria-join-the-customs-union-this-term' },
  published: {
    sandbox: ['/question', '/outcomes', '/slug', '/resolved', '/resolution_value', '/market_url'],
    world: ['/slug', '/resolved', '/resolution_value'],
  },
} satisfies Sample
