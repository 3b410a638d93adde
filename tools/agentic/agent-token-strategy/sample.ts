import type { Sample } from '../../../test/harness/samples.ts'

export default {
  input: { agent_name: 'Harbour Pilot', symbol: 'PILOT', pattern: 'staking-loop', include_nft: true },
  published: { sandbox: ['/launch_plan'], world: ['/launch_plan'] },
} satisfies Sample
