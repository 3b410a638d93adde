import type { Branch, Result } from '../evm/frame.ts'
import { dataIn, loadsIn, type Tag, type Word } from '../evm/tag.ts'
import type { Note } from '../lab.ts'
import { didSomething } from '../outcome.ts'
import { play } from './attempts.ts'
import type { Input, Knowledge, Scene, Step } from './inputs.ts'

const most = { failed: 3, back: 2, tries: 14, found: 2 } as const

type Asked = {
  readonly scene: Scene
  /** What was there before somebody began. */
  readonly from: Scene
  readonly actor: string
  readonly failed: readonly { readonly input: Input; readonly result: Result }[]
}

/**
 * Where a call fails because of what an earlier one left, the earlier one is made again with what the later one asks
 * for: what becomes of both.
 */
export function revised(knowledge: Knowledge, note: Note, { scene, from, actor, failed }: Asked): readonly Scene[] {
  const own = scene.steps.slice(from.steps.length)
  if (own.length === 0) return []
  const found: Scene[] = []
  const ends = new Set<string>()
  let tries = 0
  for (const { input, result } of failed.toSorted((a, b) => b.result.branches.length - a.result.branches.length)) {
    const last = result.branches.at(-1)
    if (last === undefined || ends.has(last.place) || ends.size >= most.failed) continue
    ends.add(last.place)
    for (const branch of result.branches.slice(-most.back).toReversed()) {
      for (const { nth, at, value } of causesOf(branch, own)) {
        if (tries >= most.tries || found.length >= most.found) return found
        tries += 1
        const again = replayed(knowledge, note, from, own, (call, other) =>
          other === nth ? { ...call, words: call.words.with((at - 4) / 32, value) } : call,
        )
        if (again === undefined) continue
        const later = Math.max(again.later, input.later)
        const second = play(knowledge, note, again, actor, { ...input, later })
        if (second.ok && didSomething(second))
          found.push({
            state: second.state,
            later,
            steps: [...again.steps, { ...input, later, actor, result: second }],
          })
      }
    }
  }
  return found
}

type Change = { readonly nth: number; readonly at: number; readonly value: bigint }

/** Words of earlier calls that went into what a branch asks, with what they would have to be. */
function causesOf(branch: Branch, own: Scene['steps']): readonly Change[] {
  const { t: tag } = branch.condition
  if (tag === undefined) return []
  const found: Change[] = []
  for (const { one, other } of sidesOf(tag)) {
    for (const { account, slot } of loadsIn(one.t)) {
      for (const [nth, { result, words }] of own.entries()) {
        const write = result.effects.findLast(
          (effect) => effect.is === 'write' && effect.account === account && effect.slot === slot,
        )
        if (write?.is !== 'write') continue
        for (const at of [...dataIn(write.value.t)].filter((place) => place >= 4)) {
          const word = words[(at - 4) / 32]
          for (const value of [other, other + 1n, other - 1n])
            if (word !== undefined && value >= 0n && value !== word) found.push({ nth, at, value })
        }
      }
    }
  }
  return found
}

const [lt, sgt, eq, isZero, sub, xor] = [0x10, 0x13, 0x14, 0x15, 0x03, 0x18]

/** What is compared, each side with the figure of the other. */
function sidesOf(tag: Tag): readonly { readonly one: Word; readonly other: bigint }[] {
  if (tag.is !== 'op') return [{ one: { v: 0n, t: tag }, other: 1n }]
  const { a, b, op } = tag
  if (op === isZero && a.t !== undefined) return sidesOf(a.t)
  if ((op >= lt && op <= sgt) || op === eq || op === sub || op === xor)
    return [
      { one: a, other: b.v },
      { one: b, other: a.v },
    ]
  return [{ one: { v: 0n, t: tag }, other: 1n }]
}

/** Calls that were made, again from another scene, each as it is turned; undefined where one of them fails. */
export function replayed(
  knowledge: Knowledge,
  note: Note,
  from: Scene,
  steps: readonly Step[],
  turned: (input: Input, nth: number) => Input,
): Scene | undefined {
  let current = from
  for (const [nth, step] of steps.entries()) {
    const { selector, words, value, later, to } = turned(step, nth)
    const input = { selector, words, value, later: Math.max(current.later, later), ...(to === undefined ? {} : { to }) }
    const result = play(knowledge, note, current, step.actor, input)
    if (!result.ok) return undefined
    const done: Step = { ...input, actor: step.actor, result }
    current = { state: result.state, later: input.later, steps: [...current.steps, done] }
  }
  return current
}
