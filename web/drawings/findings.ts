import { html } from 'hono/html'

import { evidenceOf, evidenceText } from './evidence.ts'
import { wordsOf } from '../words.ts'
import type { ListShape, Pen } from './pen.ts'
import {
  type Fields,
  isLevel,
  isSimple,
  levelMark,
  type Markup,
  nothing,
  plain,
  rankOf,
  textOf,
  toneOf,
  visible,
} from './values.ts'

const headings = ['title', 'name', 'check', 'rule', 'risk', 'id']
const remedies = ['remediation', 'mitigation', 'fix']

/**
 * Findings, the worst first: how many of each level, and each with its evidence marked in the text that it was found
 * in.
 */
export const findings: ListShape = (rows, _name, _parent, pen) => {
  if (!rows.every((row) => isLevel(row['severity']))) return undefined
  const sorted = rows.toSorted((a, b) => rankOf(a['severity']) - rankOf(b['severity']))
  const counts = new Map<string, number>()
  for (const row of sorted) counts.set(textOf(row['severity']), (counts.get(textOf(row['severity'])) ?? 0) + 1)
  return html`<p class="counts">
      ${[...counts].map(([level, count]) => html`<span>${levelMark(level)} ${count}</span> `)}
    </p>
    <ul class="findings">
      ${sorted.map((row) => finding(row, pen))}
    </ul>`
}

function finding(row: Fields, pen: Pen): Markup {
  const heading = headings.find((name) => typeof row[name] === 'string')
  const remedy = remedies.find((name) => typeof row[name] === 'string')
  const taken = new Set([heading, remedy, 'severity', 'description'])
  const rest = Object.entries(row).filter(([name]) => !taken.has(name))
  const short = rest.filter(([, value]) => isSimple(value) && plain(value).length <= 80)
  const long = Object.fromEntries(rest.filter((entry) => !short.includes(entry)))
  const level = textOf(row['severity'])
  const evidence = evidenceOf(row)
  const said = evidence?.detail ?? textOf(row['description'])
  return html`<li class="finding ${toneOf(level)}">
    <p class="head">${levelMark(level)} ${heading === undefined ? '' : plain(row[heading])}</p>
    ${said === '' ? '' : html`<p>${visible(said)}</p>`}
    ${evidence === undefined ? '' : evidenceText(evidence, pen.input)}
    ${remedy === undefined ? '' : html`<p><b>To do:</b> ${plain(row[remedy])}</p>`} ${pen.others(long)}
    ${lineOf(short, evidence?.references ?? '')}
  </li>`
}

/** What else is known of a finding, in one line. */
function lineOf(entries: readonly (readonly [string, unknown])[], references: string): Markup {
  const parts = entries.map(([name, value]) => `${wordsOf(visible(name))}: ${plain(value, name)}`)
  const line = [...parts, visible(references)].filter((part) => part !== '').join(' · ')
  return line === '' ? nothing : html`<p class="soft">${line}</p>`
}
