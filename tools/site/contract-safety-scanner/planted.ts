import { UpstreamError } from '../../../src/tool/tool.ts'
import { addressOf } from './evm/machine.ts'
import { askWord, type Market, selectors } from './harness.ts'
import { holderAt, isNobody, logsOf, namedAddresses } from './holders.ts'
import { itemSelectors } from './items.ts'
import { callData, type Lab } from './lab.ts'
import type { Right } from './outcome.ts'
import type { Baseline } from './powers.ts'
import type { HeldPower } from './rights.ts'
import { isRealPool } from './trials.ts'

const approvalTopic = 0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925n
const approvalForAllTopic = 0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31n
const most = { owners: 7, spenders: 10 }

/**
 * Leave to spend what somebody else has that nobody gave: an entry for which there is no event of an approval, although
 * every ordinary approval makes one. Constructors plant them, for pools and for early holders.
 */
export async function plantedPowers(
  lab: Lab,
  baselines: readonly Baseline[],
  markets: readonly Market[],
): Promise<readonly HeldPower[]> {
  const own = baselines.find(({ harness }) => harness.kind !== 'deposit')
  if (own === undefined) return []
  const isToken = own.harness.kind === 'token'
  const topic = isToken ? approvalTopic : approvalForAllTopic
  const isTold = own.measure.results.some(({ effects }) =>
    effects.some(
      (effect) => effect.is === 'log' && effect.account === lab.target && effect.topics[0] === approvalTopic,
    ),
  )
  const logs = await logsOf(lab).catch((error: unknown) => {
    if (!(error instanceof UpstreamError)) throw error
    return undefined
  })
  // Without events, or where approvals make none, nothing can be said of how leave was given.
  if (logs === undefined || logs.length === 0 || (isToken && !isTold)) return []
  const names = (await namedAddresses(lab, [])).filter((one) => one !== lab.target && !isNobody(one))
  const pools = markets.filter(isRealPool).map(({ address }) => address)
  const owners = [...new Set([...pools, ...names])].slice(0, most.owners)
  const pairs = owners.flatMap((owner) =>
    names
      .slice(0, most.spenders)
      .filter((spender) => spender !== owner)
      .map((spender) => ({ owner, spender })),
  )
  const question = isToken ? selectors.allowance : itemSelectors.isApprovedForAll
  const leaves = await lab.settle((note) =>
    pairs.map(
      ({ owner, spender }) => askWord(lab, lab.base, note, lab.target, callData(question, owner, spender)) ?? 0n,
    ),
  )
  const given = new Set(
    logs
      .filter(({ topics }) => topics[0] === topic)
      .map(({ topics: [, owner = 0n, spender = 0n] }) => `${addressOf(owner)}${addressOf(spender)}`),
  )
  const planted = pairs.filter(
    ({ owner, spender }, index) => (leaves[index] ?? 0n) > 0n && !given.has(`${owner}${spender}`),
  )
  const found: HeldPower[] = []
  for (const spender of new Set(planted.map((pair) => pair.spender))) {
    const holder = await holderAt(lab, spender)
    // What everybody is taken to allow a contract, e.g. a hub of signatures, is how it was written.
    if (holder.kind === 'contract') continue
    const owner = planted.find((pair) => pair.spender === spender)?.owner ?? ''
    const right: Right = { is: 'address', address: spender, places: [], bySignature: false }
    const means = `leave to spend what ${owner} has, which was written down without an approval`
    found.push({
      kind: 'take',
      selector: selectors.approve,
      actor: spender,
      right,
      figure: undefined,
      means,
      holders: [holder],
    })
  }
  return found
}
