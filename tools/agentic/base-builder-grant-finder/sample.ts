import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { category: 'ai-agent', stage: 'prototype' },
  published: { sandbox: ['/programs/0/name'], world: ['/programs/0/name'] },
} satisfies Sample
