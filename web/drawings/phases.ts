import { html } from 'hono/html'

import { wordsOf } from '../words.ts'
import { at, figure, frame } from './chart.ts'
import type { ListShape } from './pen.ts'
import { barColumn, type Column, columnOf, table } from './table.ts'
import { type Fields, isSimple, type Markup, numberOf, numberText, plain, shortened, textOf } from './values.ts'

/** The order in which phases follow each other, where their names say so. */
const order = ['emerging', 'rising', 'growing', 'peak', 'fading', 'dead']
const known = ['Emerging', 'Rising', 'Peak', 'Fading']
const size = { names: 128, top: 18, step: 22, most: 24 } as const

/** What people speak of, by the phase of its life and how much of all attention it has. */
export const phases: ListShape = (rows, name) => {
  if (!rows.every((row) => typeof row['phase'] === 'string' && numberOf(row['mindshare']) !== undefined))
    return undefined
  const sorted = rows.toSorted((a, b) => shareOf(b) - shareOf(a))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns: readonly Column[] = names.map((one) => {
    if (one === 'mindshare') return barColumn(one, Math.max(...rows.map(shareOf)), 'mindshare %')
    if (rows.every((row) => isSimple(row[one]))) return columnOf(one, rows)
    return { head: wordsOf(one), cell: (row) => listText(row[one]) }
  })
  return html`${picture(sorted)}${table(sorted, columns, wordsOf(name))}`
}

const shareOf = (row: Fields): number => numberOf(row['mindshare']) ?? 0
const nameOf = (row: Fields): string => textOf(row['slug'] ?? row['name'] ?? row['narrative'])

function picture(rows: readonly Fields[]): Markup {
  const found = [...new Set(rows.map((row) => textOf(row['phase'])))]
  const isKnown = found.every((phase) => known.includes(phase))
  const lanes = isKnown ? known : found.toSorted((a, b) => placeOf(a) - placeOf(b))
  if (lanes.length > 6) return html``
  const shown = rows.slice(0, size.most)
  const height = size.top + shown.length * size.step + 4
  const most = Math.max(...rows.map(shareOf), 1)
  const width = (frame.width - size.names) / lanes.length
  const middle = (index: number): number => size.names + (index + 0.5) * width
  const lines = shown.map((row, index) => {
    const y = size.top + (index + 0.5) * size.step
    const x = middle(lanes.indexOf(textOf(row['phase'])))
    const radius = Math.max(1.5, Math.sqrt(shareOf(row) / most) * 9)
    return html`<line x1="${size.names}" x2="${frame.width}" y1="${at(y)}" y2="${at(y)}" />
      <text class="name" x="0" y="${at(y + 3.5)}">${shortened(nameOf(row), 20)}</text>
      <circle cx="${at(x)}" cy="${at(y)}" r="${at(radius)}" />
      <text x="${at(x + radius + 3)}" y="${at(y - 3)}">${shortened(textOf(row['velocity']), 3)}</text>`
  })
  const heads = lanes.map(
    (phase, index) => html`<text x="${at(middle(index))}" y="12" text-anchor="middle">${shortened(phase, 8)}</text>`,
  )
  const said = rows.map((row) => `${nameOf(row)} ${textOf(row['phase'])}, ${numberText(shareOf(row))} %`).join('; ')
  const rest = rows.length > shown.length ? ` The ${shown.length} greatest; the table has all.` : ''
  return figure(
    shortened(`Phases, with the share of all attention: ${said}`, 1_500),
    html`<g class="grid">${heads}${lines}</g>`,
    `Each narrative in the phase of its life; the larger the dot, the more of all attention it has.${rest}`,
    height,
  )
}

function placeOf(phase: string): number {
  const place = order.indexOf(phase.toLowerCase())
  return place === -1 ? order.length : place
}

function listText(value: unknown): string {
  if (!Array.isArray(value)) return shortened(plain(value), 400)
  return value.length === 0 ? '–' : value.map((one) => plain(one)).join(', ')
}
