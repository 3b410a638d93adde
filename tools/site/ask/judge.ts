import { z } from 'zod'

import { type Judge, labelledSets, scoreOf } from '../../../test/harness/judge.ts'
import { askEverything } from '../../../test/harness/ask-everything.ts'

const caseSchema = z.object({
  question: z.string(),
  /** The tool that answers it; null where none of this server does. A list where several are as good. */
  tool: z.union([z.string().nullable(), z.array(z.string())]),
  /** What the tool must be told; fields that are not named here are free. */
  input: z.record(z.string(), z.unknown()).optional(),
})
type Case = z.infer<typeof caseSchema>

/** Routes: which tool is asked. Inputs: what it is told, of the questions that were routed right. */
const judge: Judge = async ({ folder }) => {
  const own = labelledSets(new URL('labelled/', import.meta.url), '', caseSchema)
  const foreign = folder === undefined ? [] : labelledSets(folder, 'ask-', caseSchema)
  const sets = [...own, ...foreign.map(({ name, cases }) => ({ name: `outside/${name}`, cases }))]
  const scores = []
  for (const { name, cases } of sets) {
    scores.push(await scoreOf(`${name}: tool`, cases, routeTrouble))
    const told = cases.filter(({ input }) => input !== undefined)
    if (told.length > 0) scores.push(await scoreOf(`${name}: input`, told, inputTrouble))
  }
  return scores
}
export default judge

async function routeTrouble({ question, tool }: Case): Promise<string | undefined> {
  const { meant } = await askEverything(question)
  return [tool].flat().includes(meant) ? undefined : `“${question}” went to ${meant ?? 'none'}, not ${String(tool)}`
}

async function inputTrouble({ question, tool, input = {} }: Case): Promise<string | undefined> {
  const { meant, input: told } = await askEverything(question)
  if (![tool].flat().includes(meant)) return `“${question}” went to ${meant ?? 'none'}`
  // A name that was led to its address leaves an input that the case cannot know.
  const isLed = [tool].flat().includes('ens-resolver')
  // The words of a question to a market are free: two hands never put them the same.
  const added = Object.keys(told).filter((key) => key !== 'question')
  const names = [...Object.keys(input), ...(isLed ? [] : added)]
  const wrong = [...new Set(names)].filter((key) => !isSame(told[key], input[key]))
  return wrong.length === 0 ? undefined : `“${question}” told ${JSON.stringify(told)}, not ${JSON.stringify(input)}`
}

function isSame(told: unknown, wanted: unknown): boolean {
  return textOf(told) === textOf(wanted)
}

function textOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value).toLowerCase()
}
