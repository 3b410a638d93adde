import { html } from 'hono/html'

import { type Fields, isFields, type Markup, textOf, visible } from './values.ts'

/** Where something was found, and what is quoted of it. */
export type Evidence = {
  readonly detail: string
  /** A JSON path into what was asked. */
  readonly path: string
  readonly excerpt: string
  readonly references: string
}

/**
 * Reads a finding's evidence: from members of its own, or from a sentence of the form `… At $.path: "excerpt"
 * [references]`.
 */
export function evidenceOf(row: Fields): Evidence | undefined {
  const description = textOf(row['description'])
  if (typeof row['path'] === 'string' && typeof row['excerpt'] === 'string')
    return { detail: description, path: row['path'], excerpt: row['excerpt'], references: '' }
  const start = description.indexOf(' At $')
  const opens = description.indexOf(': "', start)
  const closes = description.lastIndexOf('" [')
  if (start === -1 || opens === -1 || closes < opens + 3 || !description.endsWith(']')) return undefined
  return {
    detail: description.slice(0, start),
    path: description.slice(start + ' At '.length, opens),
    excerpt: description.slice(opens + 3, closes),
    references: description.slice(closes + 3, -1),
  }
}

/**
 * The text that a finding speaks of, with what it was found by marked in it; the quotation alone where the text is not
 * at hand.
 */
export function evidenceText({ path, excerpt }: Evidence, input: unknown): Markup {
  if (excerpt === '') return html``
  const text = textAt(input, path)
  const marks = text === undefined ? [] : marksIn(text, excerpt)
  const shown = text === undefined || marks.length === 0 ? html`<mark>${visible(excerpt)}</mark>` : marked(text, marks)
  return html`<figure class="evidence">
    <figcaption>${marks.length > 0 ? 'Found in' : 'Quoted from'} <code>${visible(path)}</code></figcaption>
    <blockquote tabindex="0">${shown}</blockquote>
  </figure>`
}

/** The text at a path of what was asked, which may stand one level down in it. */
function textAt(input: unknown, path: string): string | undefined {
  const steps = stepsOf(path)
  if (steps === undefined || !isFields(input)) return undefined
  const roots = [input, ...Object.values(input).filter(isFields)]
  for (const root of [...roots, ...roots.map((one) => one['result']).filter(isFields)]) {
    const found = steps.reduce<unknown>(into, root)
    if (typeof found === 'string') return found
  }
  return undefined
}

function into(value: unknown, step: string | number): unknown {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined
  return isFields(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

/** `$.tools[0]["a b"]` as its steps; undefined where it is no path. */
function stepsOf(path: string): readonly (string | number)[] | undefined {
  const steps: (string | number)[] = []
  const step = /\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y
  step.lastIndex = 1
  while (step.lastIndex < path.length) {
    const [, name, index, quoted] = step.exec(path) ?? []
    if (name !== undefined) steps.push(name)
    else if (index !== undefined) steps.push(Number(index))
    else if (quoted !== undefined) steps.push(unquoted(quoted))
    else return undefined
  }
  return steps
}

function unquoted(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return textOf(value)
  } catch {
    // What is no JSON is the name of nothing.
    return text
  }
}

/** A text is looked through letter by letter, for each finding anew; of a longer one only the quotation is shown. */
const longestSearched = 20_000

type Mark = { readonly from: number; readonly to: number }

/**
 * Where the pieces of a quotation stand in a text. A quotation may be cut, leave out what lies between its pieces, have
 * blanks instead of line ends, and spell out letters that nobody sees: both are compared in one form.
 */
function marksIn(text: string, excerpt: string): readonly Mark[] {
  if (text.length > longestSearched) return []
  const { form, places } = comparable(text)
  const pieces = excerpt
    .replace(/…$/, '')
    .split(' … ')
    .map((piece) => comparable(piece).form.trim())
  const marks: Mark[] = []
  for (const piece of pieces) {
    // A piece that was cut to a few letters would mark something else.
    const from = piece.length < 4 ? -1 : form.indexOf(piece)
    if (from === -1) continue
    const [first, last] = [places[from], places[from + piece.length - 1]]
    if (first !== undefined && last !== undefined) marks.push({ from: first.from, to: last.to })
  }
  return marks.toSorted((a, b) => a.from - b.from).reduce<Mark[]>(joined, [])
}

function joined(marks: Mark[], mark: Mark): Mark[] {
  const last = marks.at(-1)
  if (last === undefined || mark.from > last.to) return [...marks, mark]
  return [...marks.slice(0, -1), { from: last.from, to: Math.max(last.to, mark.to) }]
}

/**
 * A text with one blank for each run of them and hidden letters spelled out, and for each of its letters where it came
 * from.
 */
function comparable(text: string): { readonly form: string; readonly places: readonly Mark[] } {
  let form = ''
  const places: Mark[] = []
  let from = 0
  for (const letter of text) {
    const to = from + letter.length
    const isBlank = /\s/.test(letter)
    const shown = isBlank
      ? ' '
      : /[\p{Cc}\p{Cf}\p{Cs}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/u.test(letter)
        ? spelled(letter)
        : letter
    if (!(isBlank && form.endsWith(' '))) {
      form += shown
      for (let index = 0; index < shown.length; index += 1) places.push({ from, to })
    }
    from = to
  }
  return { form, places }
}

function spelled(letter: string): string {
  return `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`
}

/** How much of a text is shown around each mark. */
const around = 240

function marked(text: string, marks: readonly Mark[]): Markup {
  const parts: Markup[] = []
  let shown = 0
  for (const [index, { from, to }] of marks.entries()) {
    const next = marks[index + 1]?.from ?? text.length
    const isCut = from - around > shown
    const before = text.slice(isCut ? wordFrom(text, from - around) : shown, from)
    const after = text.slice(to, to + around < next ? wordFrom(text, to + around) : next)
    parts.push(
      html`${isCut ? '… ' : ''}${visible(before)}<mark>${visible(text.slice(from, to))}</mark>${visible(after)}`,
    )
    shown = to + after.length
  }
  return html`${parts}${shown < text.length ? ' …' : ''}`
}

/** The beginning of the word that stands at a place, so that none is cut; the place itself where it is a long one. */
function wordFrom(text: string, place: number): number {
  const blank = text.slice(Math.max(0, place - 30), place).search(/\s\S*$/)
  return blank === -1 ? place : Math.max(0, place - 30) + blank + 1
}
