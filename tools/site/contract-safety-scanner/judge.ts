import type { Judge, Score } from '../../../test/harness/judge.ts'
import { outsideContracts } from '../../../test/harness/outside-contracts.ts'
import { isRight, safetySets, scanOutside, scanSet, type Told } from '../../../test/harness/safety-sets.ts'

/** Scans every labelled contract; a dangerous one that is called safe is told apart, since it is the worst mistake. */
const judge: Judge = async ({ folder }) => {
  const scores: Score[] = []
  if (folder !== undefined) {
    for (const set of await outsideContracts(folder)) {
      scores.push(...scoresOf(`outside/${set.name}`, await scanOutside(set, undefined, { once: true })))
    }
  }
  for (const set of safetySets) scores.push(...scoresOf(set, await scanSet(set)))
  return scores
}

function scoresOf(set: string, told: readonly Told[]): readonly Score[] {
  const wrong = told.filter((one) => !isRight(one))
  const show = ({ name, said, level }: Told): string => `${name} is ${level}, was called ${said}`
  const missed = told.filter(({ level, said }) => level === 'dangerous' && said === 'likely_safe')
  const dangerous = told.filter(({ level }) => level === 'dangerous')
  return [
    { set: `${set}: levels`, cases: told.length, right: told.length - wrong.length, wrong: wrong.map(show) },
    {
      set: `${set}: dangers seen`,
      cases: dangerous.length,
      right: dangerous.length - missed.length,
      wrong: missed.map(show),
    },
  ]
}

export default judge
