import type { Parameter, ToolEntry } from './manifest.ts'
import { isObject, listOf } from './json.ts'

/** The words of a name, in lower case: `readFile`, `read_file` and `read-file` are the same two. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** Many rules ask this of each tool, so it is kept as long as the tool is. */
const purposes = new WeakMap<ToolEntry, string>()

/** The name's words and the beginning of the description, which together say what a tool is for. */
export function purposeOf(tool: ToolEntry): string {
  const before = purposes.get(tool)
  if (before !== undefined) return before
  const purpose = `${wordsOf(tool.name).join(' ')}. ${tool.description.slice(0, 400)}`.toLowerCase()
  purposes.set(tool, purpose)
  return purpose
}

/** The same without what the tool is said not to do, or not to be for. */
export function affirmedPurposeOf(tool: ToolEntry): string {
  return purposeOf(tool).replace(/\b(?:never|do(?:es)? not|don't|doesn't|can ?not|can't)\b[^.]*/g, '')
}

/** Whether a schema says which values a parameter takes, so that not just any text fits. */
export function isBounded(parameter: Parameter): boolean {
  const { schema } = parameter
  return ['enum', 'const', 'pattern', 'format'].some((key) => schema[key] !== undefined)
}

/** Whether a parameter takes text, alone or among other types. */
export function takesText(parameter: Parameter): boolean {
  const type = parameter.schema['type']
  if (type === undefined) return true
  if (type === 'string') return true
  if (listOf(type).includes('string')) return true
  const items = parameter.schema['items']
  return type === 'array' && (!isObject(items) || items['type'] === 'string')
}

const spelt = new WeakMap<Parameter, string>()

function spelledOut(parameter: Parameter): string {
  const before = spelt.get(parameter)
  if (before !== undefined) return before
  const words = wordsOf(parameter.name).join(' ')
  spelt.set(parameter, words)
  return words
}

/** Whether one of a tool's parameters has one of these names. */
export function parameterNamed(tool: ToolEntry, pattern: RegExp): Parameter | undefined {
  return tool.parameters.find((parameter) => pattern.test(spelledOut(parameter)))
}

/** A tool's name with the beginning of its description, as an excerpt. */
export function briefly(tool: ToolEntry): string {
  return tool.description === '' ? tool.name : `${tool.name}: ${tool.description.slice(0, 120)}`
}
