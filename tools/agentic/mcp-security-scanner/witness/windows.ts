import { likeness, meaningOf, meaningOfAll, wordsSummed } from '../../../../src/meaning/meaning.ts'
import type { Meaning } from '../../../../src/meaning/meaning.ts'
import type { Leaf, Manifest, Parameter, ToolEntry } from '../manifest.ts'
import { isWorthReading } from '../reading.ts'
import type { Readings } from '../reading.ts'
import { weightOf } from '../signals.ts'
import type { Sentence } from '../signals.ts'
import { wordsOf } from '../words.ts'
import { keysOf } from './features.ts'
import { tokensOf } from './tokens.ts'

/** One or two sentences that stand together, and what the second witness knows of them. */
export type Window = {
  readonly tool: string | undefined
  readonly path: string
  /** How the text was disguised, if it was. */
  readonly how: string | undefined
  readonly sentences: readonly Sentence[]
  /** Hashed words, pairs, triples and signals; each once. */
  readonly keys: readonly number[]
  /** Meaning and context as numbers around 0. */
  readonly numbers: Float32Array
}

export type Windows = { readonly windows: readonly Window[]; readonly total: number; readonly isCut: boolean }

/** A sentence as both kinds of window need it. */
type Row = {
  readonly sentence: Sentence
  readonly tokens: readonly string[]
  readonly keys: readonly number[]
  readonly sum: Float32Array
}

/** How many numbers of context stand behind the meaning. */
const contextCount = 14
const fewestTokens = 3
/**
 * How many characters of sentences are read, each counted once; 800 tools have as many. What comes after them is judged
 * by the rules alone, and the report says so.
 */
const mostRead = 400_000

/** The windows of a manifest, of how many sentences they were made, and whether some were left unread. */
export function windowsOf(manifest: Manifest, readings: Readings): Windows {
  const tools = new Map(manifest.tools.map((tool) => [tool.name, tool]))
  const subjects = new Map<string, Subject>()
  const rows = new Map<string, Row>()
  const seen = new Set<string>()
  const windows: Window[] = []
  let total = 0
  let read = 0

  function rowOf(sentence: Sentence): Row {
    const before = rows.get(sentence.text)
    if (before !== undefined) return before
    const tokens = tokensOf(sentence.text, readings)
    const keys = keysOf(tokens, sentence.signals)
    const row = { sentence, tokens, keys, sum: wordsSummed(sentence.text) }
    rows.set(sentence.text, row)
    return row
  }

  function subjectOf(name: string | undefined): Subject {
    const before = subjects.get(name ?? '')
    if (before !== undefined) return before
    const subject = readSubject(name ?? manifest.serverName, name === undefined ? undefined : tools.get(name))
    subjects.set(name ?? '', subject)
    return subject
  }

  for (const leaf of manifest.leaves) {
    if (!saysSomething(leaf)) continue
    const subject = subjectOf(leaf.tool)
    for (const { view, sentences } of readings.of(leaf.text)) {
      if (view.how === 'joined words') continue
      const fresh = sentences.filter(({ text }) => !seen.has(`${leaf.tool ?? ''} ${text}`))
      for (const { text } of fresh) seen.add(`${leaf.tool ?? ''} ${text}`)
      for (const { text } of fresh) if (!rows.has(text)) read += text.length
      if (read > mostRead) return { windows, total, isCut: true }
      const said = fresh.map(rowOf).filter(({ tokens }) => tokens.length >= fewestTokens)
      total += said.length
      for (const [index, row] of said.entries()) {
        const next = said[index + 1]
        for (const some of next === undefined ? [[row]] : [[row], [row, next]]) {
          windows.push(windowOf(some, { leaf, how: view.how, at: index, subject }))
        }
      }
    }
  }
  return { windows, total, isCut: false }
}

type Place = {
  readonly leaf: Leaf
  readonly how: string | undefined
  readonly at: number
  readonly subject: Subject
}

/** What a text's tool is about: its name, its description, and the parameters that a text could name. */
type Subject = {
  readonly purpose: Meaning
  readonly about: Meaning
  readonly parameters: readonly { readonly name: string; readonly pattern: RegExp; readonly isNeeded: boolean }[]
}

function readSubject(name: string, tool: ToolEntry | undefined): Subject {
  const purpose = meaningOf(wordsOf(name).join(' '))
  if (tool === undefined) return { purpose, about: meaningOf(''), parameters: [] }
  return {
    purpose,
    about: meaningOf(tool.description.slice(0, 200)),
    parameters: tool.parameters
      .filter((parameter) => parameter.name.length > 2)
      .map((parameter) => ({
        name: parameter.name,
        pattern: new RegExp(`\\b${escaped(parameter.name)}\\b`),
        isNeeded: isNeeded(parameter, tool),
      })),
  }
}

function windowOf(rows: readonly Row[], place: Place): Window {
  const { leaf, how } = place
  return {
    tool: leaf.tool,
    path: leaf.path,
    how,
    sentences: rows.map(({ sentence }) => sentence),
    keys: rows.length === 1 ? (rows[0]?.keys ?? []) : [...new Set(rows.flatMap(({ keys }) => keys))],
    numbers: numbersOf(rows, place),
  }
}

const parameterPath = /\b(?:properties|enum|examples|arguments)\b/

function numbersOf(rows: readonly Row[], { leaf, at, subject, how }: Place): Float32Array {
  const text = rows.map(({ sentence }) => sentence.text).join(' ')
  const meaning = meaningOfAll(rows.map(({ sum }) => sum))
  const tokens = rows.flatMap((row) => row.tokens)
  const count = (kind: string): number => Math.min(3, tokens.filter((token) => token === kind).length) / 3
  const signals = new Set(rows.flatMap(({ sentence }) => [...sentence.signals]))
  const filled = filledIn(text, subject)
  const context = [
    likeness(meaning, subject.purpose),
    likeness(meaning, subject.about),
    parameterPath.test(leaf.path) ? 1 : 0,
    leaf.tool === undefined ? 1 : 0,
    at === 0 ? 1 : 0,
    Math.log1p(tokens.length) / 4 - 0.75,
    count('@foreign'),
    count('@own'),
    count('@param'),
    count('@secretpath') + count('@url') + count('@mail'),
    Math.min(6, weightOf(signals)) / 3,
    // What a schema does not need and the text wants filled is how things are carried out.
    filled === undefined ? 0 : filled.isNeeded ? -0.5 : 1,
    /\b(?:you|your|assistant|agent|model|llm|ai|client|caller)\b/i.test(text) ? 1 : 0,
    how === undefined ? 0 : 1,
  ]
  const numbers = new Float32Array(meaning.length + contextCount)
  for (const [index, value] of meaning.entries()) numbers[index] = value * 4
  numbers.set(context, meaning.length)
  return numbers
}

/** The parameter of its own tool that a text names, and whether the schema needs it. */
function filledIn(text: string, { parameters }: Subject): { readonly isNeeded: boolean } | undefined {
  return parameters.find(({ name, pattern }) => text.includes(name) && pattern.test(text))
}

function isNeeded({ name }: Parameter, { schema }: ToolEntry): boolean {
  const required: unknown =
    typeof schema === 'object' && schema !== null && 'required' in schema ? schema.required : undefined
  return Array.isArray(required) && required.includes(name)
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Names and formal values are not said to anybody. */
function saysSomething(leaf: Leaf): boolean {
  const { path, text } = leaf
  if (path.startsWith('$.serverInfo') || path.endsWith('.name') || path.endsWith('.$schema')) return false
  return isWorthReading(leaf) && text.length >= 12
}
