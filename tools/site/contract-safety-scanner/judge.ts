import { isRight, safetySets, scanSet } from '../../../test/harness/safety-sets.ts'
import type { Judge } from '../../../test/harness/judge.ts'

/** Scans every labelled contract; a dangerous one that is called safe is told apart, since it is the worst mistake. */
const judge: Judge = async () => {
  const scores = []
  for (const set of safetySets) {
    const told = await scanSet(set)
    const wrong = told.filter((one) => !isRight(one))
    const show = ({ name, said, level }: (typeof told)[number]): string => `${name} is ${level}, was called ${said}`
    const missed = told.filter(({ level, said }) => level === 'dangerous' && said === 'likely_safe')
    const dangerous = told.filter(({ level }) => level === 'dangerous')
    scores.push(
      { set: `${set}: levels`, cases: told.length, right: told.length - wrong.length, wrong: wrong.map(show) },
      {
        set: `${set}: dangers seen`,
        cases: dangerous.length,
        right: dangerous.length - missed.length,
        wrong: missed.map(show),
      },
    )
  }
  return scores
}

export default judge
