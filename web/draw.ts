import { html, raw } from 'hono/html'

import { wordsOf } from './words.ts'

type Markup = ReturnType<typeof html>

/** How much of an answer a page shows; the rest is in the JSON beside it. */
const most = { rows: 50, columns: 7, characters: 600, depth: 4 } as const

type Fields = Readonly<Record<string, unknown>>

/** An answer as people read it: facts in pairs, lists as tables, a line where numbers follow each other in time. */
export function drawn(value: unknown, depth = 0): Markup {
  if (Array.isArray(value)) return list(value, depth)
  if (isFields(value)) return fields(value, depth)
  return html`<p>${plain(value)}</p>`
}

/** @param name that of the object, where it is a member. */
function fields(value: Fields, depth: number, name = ''): Markup {
  const entries = Object.entries(value)
  const simple = entries.filter(([, one]) => isSimple(one))
  const nested = entries.filter(([, one]) => !isSimple(one))
  const areScores = /(score|categor|radar)/i.test(name) && isScores(simple)
  const facts =
    simple.length === 0
      ? html``
      : html`<dl class="fields">
          ${simple.map(
            ([name, one]) =>
              html`<dt>${wordsOf(name)}</dt>
                <dd>${plain(one)}${areScores ? bar(Number(one) / 100) : ''}</dd>`,
          )}
        </dl>`
  if (depth >= most.depth)
    return html`${facts}${nested.length === 0 ? '' : html`<p class="soft">More in the JSON.</p>`}`
  const parts = nested.map(
    ([name, one]) =>
      html`<section class="part">
        <h4>${wordsOf(name)}</h4>
        ${isFields(one) ? fields(one, depth + 1, name) : drawn(one, depth + 1)}
      </section>`,
  )
  return html`${facts}${parts}`
}

function list(values: readonly unknown[], depth: number): Markup {
  if (values.length === 0) return html`<p class="soft">None.</p>`
  const rows = values.slice(0, most.rows)
  const rest =
    values.length > rows.length ? html`<p class="soft">${values.length - rows.length} more in the JSON.</p>` : ''
  if (rows.every(isFields)) {
    if (rows.every(isFinding)) return html`${findings(rows)}${rest}`
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    const isTable = names.length <= most.columns && rows.every((row) => Object.values(row).every(isShort))
    if (isTable) return html`${lineOf(rows, names)}${table(rows, names)}${rest}`
    return html`${rows.map((row) => html`<section class="part">${fields(row, depth + 1)}</section>`)}${rest}`
  }
  return html`<ul>
      ${rows.map((one) => html`<li>${isSimple(one) ? plain(one) : drawn(one, depth + 1)}</li>`)}
    </ul>
    ${rest}`
}

function table(rows: readonly Fields[], names: readonly string[]): Markup {
  const isNumber = (name: string): boolean => typeof rows[0]?.[name] === 'number'
  const head = (name: string): Markup =>
    html`<th scope="col" ${isNumber(name) ? raw('class="number"') : ''}>${wordsOf(name)}</th>`
  const cell = (value: unknown): Markup =>
    typeof value === 'number' ? html`<td class="number">${plain(value)}</td>` : html`<td>${plain(value)}</td>`
  const part = shareOf(rows, names)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${names.map(head)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${names.map((name) => (part?.name === name ? shareCell(row[name], part.whole) : cell(row[name])))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

const shares = /(^|_|[a-z])(probability|share|percent|pct|ratio|score|chance|confidence)$/i

/** The column that says which part of a whole each row is, and how much the whole is; undefined where there is none. */
function shareOf(rows: readonly Fields[], names: readonly string[]): { name: string; whole: number } | undefined {
  const name = names.find((one) => shares.test(one) && rows.every((row) => typeof row[one] === 'number'))
  if (name === undefined) return undefined
  const values = rows.map((row) => Number(row[name]))
  if (values.some((value) => value < 0)) return undefined
  const most = Math.max(...values)
  return most > 100 ? undefined : { name, whole: most > 1 ? 100 : 1 }
}

function shareCell(value: unknown, whole: number): Markup {
  return html`<td class="number">${plain(value)}${bar(Number(value) / whole)}</td>`
}

/** A part of a whole as a bar; the number beside it is its text. */
function bar(part: number): Markup {
  const width = (Math.min(1, Math.max(0, part)) * 100).toFixed(1)
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="10" rx="2" />
    <rect width="${width}" height="10" rx="2" fill="currentColor" />
  </svg>`
}

const levels = ['dangerous', 'critical', 'high', 'medium', 'warning', 'low', 'info']

/** A row that says how bad something is. */
function isFinding(row: Fields): boolean {
  return typeof row['severity'] === 'string' && levels.includes(row['severity'])
}

/** Findings, the worst first, each with its level in words and all that is said of it. */
function findings(rows: readonly Fields[]): Markup {
  const rank = (row: Fields): number => levels.indexOf(plain(row['severity']))
  return html`<ul class="findings">
    ${rows.toSorted((a, b) => rank(a) - rank(b)).map(finding)}
  </ul>`
}

const headings = ['title', 'name', 'check', 'rule', 'id']

function finding(row: Fields): Markup {
  const heading = headings.find((name) => typeof row[name] === 'string')
  const rest = Object.fromEntries(
    Object.entries(row).filter(([name]) => name !== heading && name !== 'severity' && name !== 'description'),
  )
  const level = plain(row['severity'])
  return html`<li class="finding" data-level="${level}">
    <p class="head"><span class="level">${level}</span>${heading === undefined ? '' : plain(row[heading])}</p>
    ${row['description'] === undefined ? '' : html`<p>${plain(row['description'])}</p>`} ${fields(rest, 1)}
  </li>`
}

/** Scores of the same kind, from nothing to a hundred. */
function isScores(entries: readonly (readonly [string, unknown])[]): boolean {
  return (
    entries.length >= 3 &&
    entries.every(([, value]) => typeof value === 'number' && value >= 0 && value <= 100) &&
    entries.some(([, value]) => Number(value) > 1)
  )
}

const inTime = /(^|_)(block|time|date|day|hour|week|at|timestamp)(_number)?$/

/** A line over the table's rows where they follow each other in time and hold a number; the table is its text. */
function lineOf(rows: readonly Fields[], names: readonly string[]): Markup {
  const along = names.find((name) => inTime.test(name))
  const of = names.find((name) => name !== along && rows.every((row) => typeof row[name] === 'number'))
  if (along === undefined || of === undefined || rows.length < 5) return html``
  const values = rows.map((row) => Number(row[of]))
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * 300
    const y = high === low ? 30 : 56 - ((value - low) / (high - low)) * 52
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return html`<figure class="code">
    <svg
      class="line"
      viewBox="0 0 300 60"
      preserveAspectRatio="none"
      role="img"
      aria-label="${wordsOf(of)} by ${wordsOf(along)}, from ${low} to ${high}"
    >
      <polyline
        points="${points.join(' ')}"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        vector-effect="non-scaling-stroke"
      />
    </svg>
    <figcaption>${wordsOf(of)} by ${wordsOf(along)}: ${low} to ${high}</figcaption>
  </figure>`
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSimple(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function isShort(value: unknown): boolean {
  return isSimple(value) && (typeof value !== 'string' || value.length <= 160)
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (value === true) return 'yes'
  if (value === false) return 'no'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > most.characters ? `${text.slice(0, most.characters)} …` : text
}
