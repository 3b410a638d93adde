/**
 * What of each published example does not move: it is the same in the sandbox, and, where the second list names it, in the
 * real world.
 */
export type Fixed = {
  readonly sandbox: readonly string[]
  readonly world: readonly string[]
  /** Where lists may be empty at some moments, or members depend on what is watched. */
  readonly mayDiffer?: readonly string[]
}

const none: Fixed = { sandbox: [], world: [] }

export const fixedFields: Readonly<Record<string, Fixed>> = {
  'agent-revenue-optimizer': { sandbox: ['/endpoint_url', '/current_state/network'], world: ['/endpoint_url'] },
  'agent-token-strategy': { sandbox: ['/launch_plan'], world: ['/launch_plan'] },
  'base-builder-grant-finder': { sandbox: ['/programs/0/name'], world: ['/programs/0/name'] },
  'base-gas-tracker': none,
  'mcp-security-scanner': { sandbox: ['/serverName', '/findings'], world: ['/serverName', '/findings'] },
  'multi-agent-workflow-designer': { sandbox: ['/steps/0/title'], world: ['/steps/0/title'] },
  'polymarket-odds': {
    sandbox: ['/question', '/outcomes', '/slug', '/resolved', '/resolution_value', '/market_url'],
    world: ['/slug', '/resolved', '/resolution_value'],
  },
  'repo-health-for-agents': { sandbox: ['/repo', '/metadata/license'], world: ['/repo', '/metadata/license'] },
  'wallet-portfolio': { sandbox: ['/address', '/tokens/0/symbol', '/tokens/2/contract'], world: ['/address'] },
  'agent-binding-scout': {
    sandbox: ['/collection', '/chain', '/bindings/0/nft/identifier', '/bindings/0/binding/agent_id'],
    world: ['/collection', '/chain'],
  },
  'agent-cert-check': { sandbox: ['/address', '/isCertified'], world: ['/address'] },
  'agent-directory': { sandbox: ['/chain', '/registry'], world: ['/chain', '/registry'] },
  'agent-trust-score': {
    sandbox: ['/address', '/dimensions/ensName', '/dimensions/certified'],
    world: ['/address', '/dimensions/ensName'],
  },
  ask: { sandbox: ['/question', '/toolUsed'], world: ['/question', '/toolUsed'] },
  'chain-ecosystem-radar': { sandbox: ['/chain'], world: ['/chain'] },
  'collection-stats': {
    sandbox: ['/slug', '/name', '/chain', '/contract', '/totalSupply'],
    world: ['/slug', '/name', '/chain', '/contract'],
  },
  'contract-abi-inspector': {
    sandbox: ['/address', '/name', '/abi', '/proxy', '/verification'],
    world: ['/address', '/proxy/isProxy', '/verification/isVerified'],
  },
  'contract-safety-scanner': {
    sandbox: ['/contract', '/safetyLevel', '/risks', '/details'],
    world: ['/contract', '/details/isProxy', '/details/isVerified'],
  },
  'ens-resolver': { sandbox: [''], world: ['/results/0/address', '/results/1/name'] },
  'erc20-approval-audit': {
    sandbox: ['/owner', '/activeApprovals', '/infiniteApprovals', '/approvals/0/token', '/approvals/0/spender'],
    world: ['/owner', '/chain'],
  },
  'launchpad-deployer-profile': { sandbox: ['/address'], world: ['/address'] },
  'launchpad-leaderboard': { sandbox: ['/sort', '/timeframe'], world: ['/sort', '/timeframe'] },
  'native-burn-stats': { sandbox: ['/deadAddress'], world: ['/deadAddress'] },
  'native-influence-impact': { ...none, mayDiffer: ['/tokens/'] },
  'native-narrative-pulse': {
    sandbox: ['/window'],
    world: ['/window'],
    mayDiffer: ['/transitions/', '/reflexivity', '/narratives/'],
  },
  'native-stakers-leaderboard': none,
  'native-sweep-forecast': { sandbox: ['/collection'], world: ['/collection'] },
  'native-whale-alerts': { sandbox: ['/window/blocks', '/thresholdUsd'], world: ['/window/blocks', '/thresholdUsd'] },
}
