import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { category: 'ai-agent', stage: 'prototype' },
} satisfies Sample
