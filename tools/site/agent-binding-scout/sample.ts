import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { collection: 'normies', chain: 'ethereum', limit: 2 },
  chain: {},
  published: {
    sandbox: ['/collection', '/chain', '/bindings/0/nft/identifier', '/bindings/0/binding/agent_id'],
    world: ['/collection', '/chain'],
  },
} satisfies Sample
