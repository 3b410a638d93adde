import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { endpoint_url: 'https://leaking.shop.example/v1/tide-report' },
} satisfies Sample
