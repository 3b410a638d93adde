import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { goal: 'Check gas on Base and then the balances of a wallet', budget_usd: 1 },
  published: { sandbox: ['/steps/0/title'], world: ['/steps/0/title'] },
} satisfies Sample
