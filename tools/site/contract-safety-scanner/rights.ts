import { topicOf, UpstreamError } from '../../../src/tool/tool.ts'
import { addressOf } from './evm/machine.ts'
import { shapeOf } from './evm/tag.ts'
import type { Exploration, Right } from './outcome.ts'
import { askWord, selectors } from './harness.ts'
import { type Holder, holderAt, isNobody, membersOf, namedAddresses } from './holders.ts'
import { callData, type Lab } from './lab.ts'
import type { Known, Power } from './powers.ts'
import { ordinary } from './trials.ts'

/** A power, and who has it. */
export type HeldPower = Power & { readonly holders: readonly Holder[] }

/** A power that is nobody's now belongs to whoever can make themselves its holder. */
export function inherited(
  powers: readonly Power[],
  explorations: readonly Exploration[],
  known: Known,
): readonly Power[] {
  const outcomes = explorations.flatMap((one) => one.outcomes)
  const digits = new Set(Object.values(known.lab.actors).map((one) => one.slice(2)))
  const takers = new Map<string, Right[]>()
  for (const { right, result, words, actor, assumed = [] } of outcomes) {
    if (assumed.length > 0) continue
    for (const effect of result.effects) {
      if (effect.is !== 'write' || effect.value.v === effect.before || effect.value.v === 0n) continue
      const isChosen =
        [actor, ...words.map(addressOf)].some((one) => addressOf(effect.value.v) === one) || effect.key !== undefined
      if (!isChosen) continue
      const ids = [`${effect.account}:${effect.slot}`]
      if (effect.key !== undefined) ids.push(`${effect.account}:${shapeOf(effect.key, effect.slot, digits)}`)
      for (const id of ids) takers.set(id, [...(takers.get(id) ?? []), right])
    }
  }
  const telling = new Set(powers.filter(({ kind }) => kind !== 'set').map(({ selector }) => selector))
  const common = new Set(
    explorations.flatMap(({ outcomes }) =>
      outcomes.filter(({ right }) => right.is === 'anyone').map((one) => one.selector),
    ),
  )
  // A setting that experiments could not make sense of says nothing of a function that anybody may call.
  const kept = powers.filter(
    ({ kind, selector }) =>
      kind !== 'set' || !(telling.has(selector) || common.has(selector) || ordinary.has(selector)),
  )
  return kept.flatMap((power) => {
    const { right } = power
    const ids =
      right.is === 'address' || right.is === 'hidden'
        ? right.places.map(({ account, slot }) => `${account}:${slot}`)
        : right.is === 'list'
          ? right.guard.keys.map((key, index) => {
              const entry = right.guard.entries[index]
              return entry === undefined ? '' : `${entry.account}:${shapeOf(key, entry.slot, digits)}`
            })
          : []
    const heirs = new Map(ids.flatMap((id) => takers.get(id) ?? []).map((heir) => [nameOfRight(heir), heir]))
    heirs.delete(nameOfRight(right))
    return [power, ...[...heirs.values()].map((heir) => ({ ...power, right: heir }))]
  })
}

/** The same for rights that the same people have. */
function nameOfRight(right: Right): string {
  switch (right.is) {
    case 'address':
      return right.address
    case 'list':
      return right.guard.entries.map(({ account, slot }) => `${account}:${slot}`).join()
    case 'hidden':
      return `hidden ${right.isEntitled}`
    case 'anyone':
      return right.is
  }
}

export async function heldPowers(
  lab: Lab,
  powers: readonly Power[],
  extra: readonly string[],
): Promise<readonly HeldPower[]> {
  const lists = powers.some(({ right }) => right.is === 'list')
  const named = lists ? await namedAddresses(lab, extra) : []
  const byId = new Map<string, readonly Holder[]>()
  const holders = async (right: Right): Promise<readonly Holder[]> => {
    if (right.is === 'anyone') return [{ kind: 'anyone' }]
    if (right.is === 'hidden') return [{ kind: right.isEntitled ? 'entitled' : 'hidden' }]
    if (right.is === 'address') return [await holderAt(lab, right.address)]
    const members = await membersOf(lab, right, named)
    if (members.length === 0) return [{ kind: 'unknown' }]
    return Promise.all(members.slice(0, 5).map((one) => holderAt(lab, one)))
  }
  const held: HeldPower[] = []
  for (const power of powers) {
    const { right } = power
    const id = nameOfRight(right)
    const known = byId.get(id) ?? (await holders(right))
    byId.set(id, known)
    held.push({ ...power, holders: known })
  }
  return held
}

export async function ownerOf(lab: Lab): Promise<Holder | undefined> {
  const word = await lab.settle((note) => askWord(lab, lab.base, note, lab.target, callData('8da5cb5b')))
  return word === undefined || word >> 160n !== 0n ? undefined : holderAt(lab, addressOf(word))
}

const approvalTopic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const maxSpenders = 6

/** Accounts that the contract lets spend its tokens: they need no function of it. */
export async function allowedPowers(
  lab: Lab,
  currencies: readonly string[],
  kind: 'drain' | 'treasury',
): Promise<readonly HeldPower[]> {
  const { target, reader, world } = lab
  if (currencies.length === 0) return []
  const topics = [approvalTopic, topicOf(target)]
  const logs = await reader.logs({ address: currencies, topics }).catch((error: unknown) => {
    // A node that refuses so many blocks leaves what storage and code name.
    if (!(error instanceof UpstreamError)) throw error
    return []
  })
  const named = [
    ...logs.flatMap(({ topics: [, , spender] }) => (spender === undefined ? [] : [`0x${spender.slice(-40)}`])),
    ...[...(world.storage.get(target)?.values() ?? [])].filter((word) => word >> 80n !== 0n).map(addressOf),
    ...(world.codes.get(target)?.addresses ?? []),
  ]
  const spenders = [...new Set(named)].filter((one) => !isNobody(one) && one !== target && !currencies.includes(one))
  const pairs = currencies.flatMap((token) => spenders.slice(0, maxSpenders).map((spender) => ({ token, spender })))
  const leaves = await lab.settle((note) =>
    pairs.map(({ token, spender }) =>
      askWord(lab, lab.base, note, token, callData(selectors.allowance, target, spender)),
    ),
  )
  const found = pairs.filter((_pair, index) => (leaves[index] ?? 0n) > 0n)
  const held: HeldPower[] = []
  for (const { token, spender } of found) {
    const holder = await holderAt(lab, spender)
    // What a contract does with its leave, e.g. an exchange, is its own affair; somebody's key needs no function.
    if (holder.kind !== 'account' || holder.address !== spender) continue
    const right: Right = { is: 'address', address: spender, places: [], bySignature: false }
    const means = `the leave to spend its token ${token}, which it has given already`
    held.push({ kind, selector: selectors.approve, actor: spender, right, figure: undefined, means, holders: [holder] })
  }
  return held
}
