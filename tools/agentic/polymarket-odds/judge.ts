import { existsSync } from 'node:fs'

import { z } from 'zod'

import { type Judge, labelledSets, scoreOf } from '../../../test/harness/judge.ts'
import { hasRecorded } from '../../../test/harness/recorded.ts'
import { ask, type Json } from './fixtures/gamma.ts'
import { recordedEvents } from './fixtures/recorded.ts'

const target = z.union([z.strictObject({ market: z.string() }), z.strictObject({ event: z.string() })])
const caseSchema = z.object({
  query: z.string(),
  want: z.union([target, z.strictObject({ none: z.literal(true) })]),
  alsoOk: z.array(z.union([target, z.string()])).default([]),
})
type Case = z.infer<typeof caseSchema>

/**
 * Which recorded market or event a phrasing is answered by. The search is taken to find all of them, and the ranking
 * chooses.
 */
const judge: Judge = async ({ folder }) => {
  if (!hasRecorded()) return []
  const own = new URL('labelled/', import.meta.url)
  const sets = [
    ...(existsSync(own) ? labelledSets(own, '', caseSchema) : []),
    ...(folder === undefined ? [] : labelledSets(folder, 'polymarket-', caseSchema)).map(({ name, cases }) => ({
      name: `outside/${name}`,
      cases,
    })),
  ]
  const events = recordedEvents()
  const scores = []
  for (const { name, cases } of sets) {
    scores.push(await scoreOf(`${name}: answer`, cases, (one) => troubleWith(one, events)))
  }
  return scores
}
export default judge

async function troubleWith({ query, want, alsoOk }: Case, events: readonly Json[]): Promise<string | undefined> {
  const answer = await answerTo(query, events)
  const wanted = [...('none' in want ? [] : [want]), ...alsoOk].flatMap((one) => namesOf(one, events))
  const isRight = answer === undefined ? 'none' in want : wanted.includes(answer)
  return isRight ? undefined : `“${query}”: ${answer ?? 'nothing'}, not ${wanted.join(' or ') || 'nothing'}`
}

/** An event of one market is answered by that market. */
function namesOf(one: z.infer<typeof target> | string, events: readonly Json[]): readonly string[] {
  if (typeof one === 'string') return [one]
  if ('market' in one) return [one.market]
  const event = events.find(({ slug }) => slug === one.event)
  const members = z.array(z.looseObject({ slug: z.string() })).parse(event?.['markets'] ?? [])
  return [one.event, ...(members.length === 1 ? [members[0]?.slug ?? one.event] : [])]
}

async function answerTo(query: string, events: readonly Json[]): Promise<string | undefined> {
  try {
    const { output } = await ask(query, { hits: events }, '2026-02-14T00:00:00Z')
    return output.slug
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'not_found') return undefined
    throw error
  }
}
