import { wordOf } from '../../../src/tool/tool.ts'
import type { Result } from './evm/frame.ts'
import { addressOf } from './evm/machine.ts'
import { wordAt } from './evm/memory.ts'
import { forkOf } from './evm/state.ts'
import { loadsIn, shapeOf } from './evm/tag.ts'
import { selectorsIn } from './guards.ts'
import { isNobody } from './holders.ts'
import { ask, callData, eip1967, type Lab, type Note } from './lab.ts'

const probes = ['06fdde03', '18160ddd', '8da5cb5b', '5c60da1b', 'deadbeef', '70a08231', 'f851a440'] as const
export const maxFunctions = 110

/** Finds whose code runs, through proxies of every kind: by what the contract delegates to when it is called. */
export async function codesOf(lab: Lab) {
  const { target, world } = lab
  const codePlaces = new Set<string>()
  const codeShapes = new Set<string>()
  const digits = new Set(Object.values(lab.actors).map((one) => one.slice(2)))
  const found = new Map<string, string>()
  const asking = new Set<string>()
  let functions: readonly string[] = []
  for (let round = 0; round < 3; round += 1) {
    const asked = new Set([...probes, ...functions])
    const results = await lab.settle((note) => [...asked].flatMap((selector) => probe(lab, note, selector)))
    const before = found.size
    const isForwarder = results.some(({ ok, delegations }) => ok && delegations.length > 0)
    for (const { delegations } of results) {
      for (const { account, to } of delegations) {
        if (account !== target) continue
        const address = addressOf(to.v)
        const loads = loadsIn(to.t)
        for (const load of loads) {
          codePlaces.add(`${load.account}:${load.slot}`)
          if (load.key !== undefined) codeShapes.add(`${load.account}:${shapeOf(load.key, load.slot, digits)}`)
        }
        if (address !== target && !found.has(address) && (!isNobody(address) || isForwarder))
          found.set(address, slotNameOf(loads[0]?.slot))
      }
    }
    for (const facet of await facetsOf(lab)) if (!found.has(facet)) found.set(facet, 'diamond facet')
    const codes = await lab.settle((note) => {
      for (const address of found.keys())
        lab.run(forkOf(lab.base), { from: lab.actors.stranger, to: address, data: callData('deadbeef') }, note)
      return [target, ...found.keys()].flatMap((address) => world.codes.get(address)?.selectors ?? [])
    })
    for (const { branches } of results)
      for (const branch of branches) for (const one of selectorsIn(branch)) asking.add(one)
    const all = new Set([...codes, ...asking])
    functions = [...all].slice(0, maxFunctions)
    if (all.size > maxFunctions) lab.cut('functions')
    if (found.size === before && round > 0) break
  }
  const runs = [...found]
    .filter(([implementation]) => !isNobody(implementation) || found.size === 1)
    .map(([implementation, slot]) => ({
      slot,
      implementation,
      hasCode: Boolean(world.codes.get(implementation)?.bytes.length),
    }))
  return {
    runs: runs.filter(({ hasCode }) => hasCode || functions.length === 0 || found.size === 1),
    functions: functions.filter((one) => !/^f{8}$|^4e487b71$|^0{8}$/.test(one)),
    codePlaces,
    codeShapes,
  }
}

/**
 * Calls a function of which nothing is known. Where it fails, it is made to go on at the last place where it asked
 * something: a table of code that has no entry for the function shows where it would look.
 */
function probe(lab: Lab, note: Note, selector: string): readonly Result[] {
  const transaction = { from: lab.actors.stranger, to: lab.target, data: callData(selector, 0n, 0n, 0n, 0n) }
  const result = lab.run(forkOf(lab.base), transaction, note)
  const last = result.branches.at(-1)
  if (result.ok || last === undefined) return [result]
  const forced = new Map([[last.place, !last.taken]])
  return [result, lab.run(forkOf(lab.base), { ...transaction, forced }, note)]
}

function slotNameOf(slot: bigint | undefined): string {
  if (slot === undefined) return 'bytecode'
  if (slot === eip1967) return 'eip1967.proxy.implementation'
  return `0x${wordOf(slot)}`
}

/** What a diamond's loupe lists. */
async function facetsOf(lab: Lab): Promise<readonly string[]> {
  const result = await lab.settle((note) => ask(lab, lab.base, note, lab.target, callData('52ef6b2c')))
  const { bytes } = result.data
  if (!result.ok || bytes.length < 64 || wordAt(bytes, 0) !== 32n) return []
  const count = Math.min(Number(wordAt(bytes, 32) & 0xffn), 16)
  return Array.from({ length: count }, (_value, index) => addressOf(wordAt(bytes, 64 + index * 32))).filter(
    (one) => !isNobody(one),
  )
}
