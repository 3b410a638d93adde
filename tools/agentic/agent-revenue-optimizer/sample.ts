import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { endpoint_url: 'https://leaking.shop.example/v1/tide-report' },
  published: { sandbox: ['/endpoint_url', '/current_state/network'], world: ['/endpoint_url'] },
} satisfies Sample
