import { z } from 'zod'

import { type CatalogEntry, isRecord, type ToolContext, UpstreamError } from '../../../src/tool/tool.ts'
import {
  countsIn,
  type Input,
  isThing,
  type Matcher,
  type Reading,
  type Request,
  type Value,
} from '../../../src/understanding/understanding.ts'

/** What a configured model chose: a tool and what it reads off the question for it, or that none fits. */
export type Choice =
  | { readonly kind: 'tool'; readonly request: Request; readonly told: ReadonlyMap<string, Value> }
  | { readonly kind: 'none' }

const longestChoice = 4_000
const longestDescription = 400
const chosen = z.looseObject({
  tool: z.string().nullable(),
  input: z.record(z.string(), z.unknown()).nullish(),
})
const single = z.union([z.string(), z.number(), z.boolean()])
const told = z.union([single, z.array(z.string()).max(50)])

/**
 * Lets the model choose the tool. What it says counts only where it names a tool of this server, and of its inputs only
 * what the question itself says: a model that was misled can choose another tool that reads, and nothing else.
 * Undefined where it said nothing that counts; the rules then decide.
 */
export async function chosenByModel(
  question: string,
  reading: Reading,
  { subjects }: Pick<Matcher, 'subjects'>,
  { model, catalog }: Pick<ToolContext, 'model' | 'catalog'>,
): Promise<Choice | undefined> {
  // What no tool can do stays refused, whatever a model would make of it.
  if (model === undefined || (reading.requests.length === 0 && reading.left.length > 0)) return undefined
  const offered = catalog().filter(({ slug }) => subjects.some((subject) => subject.slug === slug))
  const answer = choiceIn(await routeOf(question, offered, model))
  if (answer === undefined) return undefined
  if (answer.tool === null) return { kind: 'none' }
  const subject = subjects.find(({ slug }) => slug === answer.tool)
  if (subject === undefined) return undefined
  const known = reading.requests.find((request) => request.subject.slug === subject.slug)
  const request: Request = known ?? {
    subject,
    score: 0,
    words: [],
    passage: reading.whole,
    stage: 0,
    position: 0,
    hits: [],
  }
  const inputs = subject.inputs.flatMap((input): readonly (readonly [string, Value])[] => {
    const value = told.safeParse(answer.input?.[input.name])
    return value.success && isSaid(value.data, input, question) ? [[input.name, value.data]] : []
  })
  return { kind: 'tool', request, told: new Map(inputs) }
}

async function routeOf(
  question: string,
  offered: readonly CatalogEntry[],
  model: NonNullable<ToolContext['model']>,
): Promise<string> {
  const tools = offered.map(({ slug, description, inputSchema }) => ({
    slug,
    does: description.slice(0, longestDescription),
    inputs: inputSchema?.()['properties'] ?? {},
  }))
  try {
    return await model.route({ question, tools })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return ''
  }
}

function choiceIn(text: string): z.output<typeof chosen> | undefined {
  // Many models put JSON between fences.
  const object = text
    .slice(0, longestChoice)
    .trim()
    .replace(/^```(?:json)?\s*|\s*```$/g, '')
  try {
    return chosen.safeParse(JSON.parse(object)).data
  } catch {
    return undefined
  }
}

/**
 * Whether the question says a value: a model may read, and not make up. A name in place of an address is led to it
 * later.
 */
function isSaid(value: Value, { rule, schema }: Input, question: string): boolean {
  if (rule.from === 'sentence' || rule.from === 'market') return false
  if (typeof value === 'boolean') return schema['type'] === 'boolean'
  if (typeof value === 'number') return countsIn(question).includes(value)
  const isName = isThing(rule) && rule.from !== 'names'
  const one = (text: string): boolean =>
    optionsOf(schema).includes(text) ||
    (text.length > 1 && !(isName && /\.eth$/i.test(text)) && question.toLowerCase().includes(text.toLowerCase()))
  return typeof value === 'string' ? one(value) : value.length > 0 && value.every(one)
}

function optionsOf(schema: Input['schema']): readonly unknown[] {
  const items: unknown = schema['items']
  const own = isRecord(items) ? items['enum'] : schema['enum']
  return Array.isArray(own) ? own : []
}
