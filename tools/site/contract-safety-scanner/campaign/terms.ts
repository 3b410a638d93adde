import type { Note } from '../lab.ts'
import { play } from './attempts.ts'
import type { Input, Knowledge, Scene, Step } from './inputs.ts'
import { rounding } from './people.ts'
import { gains, type Standing, type Trial } from './thefts.ts'

const mostWords = 6
/** A whole one of most coins. */
const more = 10n ** 18n

type Turned = (input: Input) => Input

/** What a gang did, done again from another scene, each call as it is turned; undefined where one of them fails. */
type Again = (from: Scene, turned: Turned) => Scene | undefined

/** The calls that lead from the life of others to a scene, made again one after the other. */
export function inARow({ knowledge, life }: Trial, note: Note, { steps }: Scene): Again {
  const own = steps.slice(life.scene.steps.length)
  return (from, turned) => replayed(knowledge, note, from, own, turned)
}

/**
 * Whether others gave what they lost for what they had asked for themselves, which was next to nothing: had they asked
 * for more, those who gained would have to pay it. What rounding leaves would hide the price.
 */
export function isAgreed(trial: Trial, note: Note, standing: Standing, again: Again): boolean {
  const { knowledge, life } = trial
  return termsOf(life.scene.steps).some(({ selector, at, said }) => {
    const asking: Turned = (input) =>
      input.selector === selector && input.words[at] === said ? { ...input, words: input.words.with(at, more) } : input
    const dearer = replayed(knowledge, note, life.start, life.scene.steps, asking)
    if (dearer === undefined) return false
    // A number may as well be a name, by which others find what was put in.
    const naming: Turned = (input) => ({ ...input, words: input.words.map((word) => (word === said ? more : word)) })
    return ![(input: Input) => input, naming].some((turned) => {
      const done = again(dearer, turned)
      return done !== undefined && gains(trial, note, done, standing)
    })
  })
}

type Term = { readonly selector: string; readonly at: number; readonly said: bigint }

/** Words that were next to nothing; those that were not left out first. */
function termsOf(steps: readonly Step[]): readonly Term[] {
  const found = new Map<string, Term>()
  for (const { selector, words } of steps)
    for (const [at, said] of words.entries())
      if (said <= rounding) found.set(`${selector} ${at} ${said}`, { selector, at, said })
  return [...found.values()].toSorted((a, b) => Number(a.said === 0n) - Number(b.said === 0n)).slice(0, mostWords)
}

function replayed(
  knowledge: Knowledge,
  note: Note,
  from: Scene,
  steps: readonly Step[],
  turned: Turned,
): Scene | undefined {
  let current = from
  for (const step of steps) {
    const input = { ...turned(step), later: Math.max(current.later, step.later) }
    const result = play(knowledge, note, current, step.actor, input)
    if (!result.ok) return undefined
    const done: Step = { ...input, actor: step.actor, result }
    current = { state: result.state, later: input.later, steps: [...current.steps, done] }
  }
  return current
}
