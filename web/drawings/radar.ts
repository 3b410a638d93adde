import { html } from 'hono/html'
import { curveLinearClosed, lineRadial } from 'd3-shape'

import { wordsOf } from '../words.ts'
import { at, figure, frame } from './chart.ts'
import { table } from './table.ts'
import { bar, type Markup, numberText, shortened } from './values.ts'

export type Score = readonly [name: string, score: number]

const size = { height: 236, radius: 82 } as const
const center = { x: frame.width / 2, y: size.height / 2 } as const

/** Scores of the same kind, of a hundred each: a picture of where they are weak, and the table that says so. */
export function radar(scores: readonly Score[], name: string): Markup {
  const angle = (index: number): number => (index / scores.length) * 2 * Math.PI
  const outline = (radius: number): string => ring(scores.map((_score, index) => [angle(index), radius]))
  const shape = ring(scores.map(([, score], index) => [angle(index), (score / 100) * size.radius]))
  const weakest = scores.toSorted(([, a], [, b]) => a - b)[0]
  const said = scores.map(([one, score]) => `${wordsOf(one)} ${numberText(score)}`).join(', ')
  const label = `${wordsOf(name)} of 100: ${said}`
  const caption = weakest === undefined ? '' : `Of 100 each; the weakest is ${wordsOf(weakest[0])}.`
  const body = html`<g transform="translate(${center.x} ${center.y})">
    <g class="grid">
      ${[25, 50, 75, 100].map((part) => html`<path d="${outline((part / 100) * size.radius)}" />`)}
      ${scores.map((_score, index) => html`<path d="M0 0L${placeAt(angle(index), size.radius).map(at).join(' ')}" />`)}
      ${scores.map(([one], index) => axisName(one, angle(index)))}
    </g>
    <path class="area" d="${shape}" />
    <path class="stroke" d="${shape}" />
  </g>`
  const rows = scores.map(([one, score]) => ({ name: wordsOf(one), score }))
  return html`<div class="two">
    ${figure(label, body, caption, size.height)}
    ${table(
      rows,
      [
        { head: 'part', cell: (row) => String(row['name']) },
        {
          head: 'of 100',
          isNumber: true,
          cell: (row) => html`${numberText(Number(row['score']))}${bar(Number(row['score']) / 100)}`,
        },
      ],
      wordsOf(name),
    )}
  </div>`
}

/** A closed line around the middle; the first place is above it. */
function ring(places: readonly (readonly [angle: number, radius: number])[]): string {
  const points = places.map(([angle, radius]): [number, number] => [angle, radius])
  return lineRadial().curve(curveLinearClosed)(points) ?? ''
}

function placeAt(angle: number, radius: number): readonly [number, number] {
  return [Math.sin(angle) * radius, -Math.cos(angle) * radius]
}

function axisName(name: string, angle: number): Markup {
  const [x, y] = placeAt(angle, size.radius + 8)
  const anchor = Math.abs(x) < 8 ? 'middle' : x > 0 ? 'start' : 'end'
  const below = y > 40 ? 8 : y < -40 ? 0 : 3
  return html`<text x="${at(x)}" y="${at(y + below)}" text-anchor="${anchor}">${shortened(wordsOf(name), 14)}</text>`
}
