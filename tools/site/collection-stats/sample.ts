import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { slug: 'boredapeyachtclub' },
  chain: {},
  published: {
    sandbox: ['/slug', '/name', '/chain', '/contract', '/totalSupply'],
    world: ['/slug', '/name', '/chain', '/contract'],
  },
} satisfies Sample
