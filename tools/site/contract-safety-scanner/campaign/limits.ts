import type { Note } from '../lab.ts'
import { didSomething } from '../outcome.ts'
import type { Power } from '../powers.ts'
import { attempts, play } from './attempts.ts'
import { type Hunt, powerOf, relatedTo } from './hunt.ts'
import { isPerson, type Knowledge, type Scene, type Step } from './inputs.ts'
import { after } from './lives.ts'
import { difference, type Wealth, wealthOf } from './people.ts'

const most = { grants: 12, ofOne: 3, takes: 24, words: 6, again: 3 } as const
/** What somebody lets another one have is so small a part of what they put in that there is more to take. */
const part = 20n

/** Whether whom somebody lets have so much of theirs, and no more at once, can take that again and again. */
export async function exceeded(hunt: Hunt, thief: string): Promise<Power | undefined> {
  const { functions, venture, isSpent, life } = hunt
  for (const selector of functions) {
    if (isSpent()) return undefined
    const grants = await venture((note) => grantsOf(hunt, note, selector, thief))
    for (const { scene, limit } of grants ?? []) {
      for (const next of relatedTo(hunt, scene)) {
        if (isSpent()) return undefined
        const taken = await venture((note) => takenAgain(hunt, note, scene, { selector: next, thief, limit }), true)
        if (taken !== undefined) return powerOf('excess', { is: 'anyone' }, after(life.scene, taken), life)
      }
    }
  }
  return undefined
}

type Grant = { readonly scene: Scene; readonly limit: bigint }

/** Calls by which somebody names another one and a figure, and which cost them nothing. */
function grantsOf(
  { knowledge, cast, life, assets }: Hunt,
  note: Note,
  selector: string,
  thief: string,
): readonly Grant[] {
  const [user] = cast.users
  const { lab, shapes } = knowledge
  const wealth = ({ state }: Scene): Wealth => wealthOf(lab, note, state, user, assets)
  const had = wealth(life.scene)
  const spent = difference(wealth(life.start), had).filter((one) => one > part)
  const [least] = spent.toSorted((a, b) => (a < b ? -1 : 1))
  if (least === undefined) return []
  const limit = least / part
  const found: Grant[] = []
  for (const step of attempts(knowledge, note, { scene: life.scene, selector, actor: user, runs: most.grants })) {
    const { callees, uses } = shapes.get(selector) ?? {}
    const places = [...step.words.slice(0, most.words).keys()].filter((at) => uses?.has(4 + at * 32) === true)
    const people = places.filter((at) => isPerson(step.words[at] ?? 0n) && callees?.has(4 + at * 32) !== true)
    for (const who of people) {
      for (const at of places.filter((one) => one !== who && !isPerson(step.words[one] ?? 0n))) {
        if (found.length >= most.ofOne) return found
        const input = { ...step, words: step.words.with(who, BigInt(thief)).with(at, limit) }
        const result = play(knowledge, note, life.scene, user, input)
        if (!result.ok || !didSomething(result)) continue
        const scene = after(life.scene, { ...input, result })
        if (difference(wealth(scene), had).every((one) => one >= 0n)) found.push({ scene, limit })
      }
    }
  }
  return found
}

type Taking = { readonly selector: string; readonly thief: string; readonly limit: bigint }

/** A call that takes what was granted, not more, as often as it is made; undefined where there is none. */
function takenAgain(
  { knowledge, life, assets, cast }: Hunt,
  note: Note,
  scene: Scene,
  { selector, thief, limit }: Taking,
): Step | undefined {
  const gainOf = (from: Scene, { state }: Pick<Scene, 'state'>): bigint => {
    const [before, now] = [from, { state }].map((one) => wealthOf(knowledge.lab, note, one.state, thief, assets))
    const change = difference(now ?? [], before ?? [])
    return change.some((one) => one < 0n) ? 0n : change.reduce((a, b) => (b > a ? b : a), 0n)
  }
  const found = attempts(knowledge, note, { scene, selector, actor: thief, runs: most.takes })
  const steps = [
    ...found,
    ...found.flatMap((step) => allFor(knowledge, note, scene, { step, limit, user: cast.users[0] })),
  ]
  const gains = steps.map((step) => ({ step, gain: gainOf(scene, step.result) })).filter(({ gain }) => gain > 0n)
  // What goes beyond it at once was never held to it.
  if (gains.some(({ gain }) => gain > limit)) return undefined
  const best = gains.toSorted((a, b) => (a.gain < b.gain ? 1 : -1))[0]
  if (best === undefined || best.gain * 2n <= limit) return undefined
  const { step, gain } = best
  const larger = { ...step, words: step.words.map((word) => (word === gain ? limit + 1n : word)) }
  if (play(knowledge, note, scene, thief, larger).ok) return undefined
  // Nor is it a limit where the same is had without it.
  if (play(knowledge, note, life.scene, thief, step).ok) return undefined
  let current = after(scene, step)
  for (let times = 0; times < most.again; times += 1) {
    const result = play(knowledge, note, current, thief, { ...step, later: current.later })
    if (!result.ok || gainOf(current, result) < gain) return undefined
    current = after(current, { ...step, result })
  }
  return step
}

/** The same call about all that was granted, for whoever calls. */
function allFor(
  knowledge: Knowledge,
  note: Note,
  scene: Scene,
  { step, limit, user }: { readonly step: Step; readonly limit: bigint; readonly user: string },
): readonly Step[] {
  const shape = knowledge.shapes.get(step.selector)
  const isAsked = (at: number): boolean =>
    at < most.words && shape?.uses.has(4 + at * 32) === true && !shape.callees.has(4 + at * 32)
  const own = step.words.map((word, at) =>
    isAsked(at) && isPerson(word) && word !== BigInt(user) ? BigInt(step.actor) : word,
  )
  return [...own.keys()]
    .filter((at) => isAsked(at) && !isPerson(own[at] ?? 0n))
    .flatMap((at) => {
      const input = { ...step, words: own.with(at, limit) }
      const result = play(knowledge, note, scene, step.actor, input)
      return result.ok ? [{ ...input, result }] : []
    })
}
