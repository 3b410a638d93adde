import { Graph, layout } from '@dagrejs/dagre'
import { html } from 'hono/html'
import { curveBasis, line } from 'd3-shape'

import { wordsOf } from '../words.ts'
import { at } from './chart.ts'
import type { ListShape } from './pen.ts'
import { type Column, columnOf, table } from './table.ts'
import {
  type Fields,
  isFields,
  isSimple,
  type Markup,
  nothing,
  numberOf,
  numberText,
  plain,
  shortened,
  textOf,
} from './values.ts'

type Step = {
  readonly id: string
  readonly tool: string
  readonly note: string
  readonly after: readonly string[]
}

/** More would be a picture that nobody reads. */
const mostSteps = 40
const box = { width: 184, height: 50 } as const

/** Steps that need each other, as a graph with what each costs, and the table of them. */
export const workflow: ListShape = (rows, name) => {
  if (rows.length === 0 || !rows.every(isStep)) return undefined
  const steps = rows.map(stepOf)
  const picture =
    steps.length > mostSteps
      ? html`<p class="soft">${steps.length} steps are too many for a picture; the table has them all.</p>`
      : graphOf(steps)
  return html`${picture}${table(rows, columnsOf(rows), wordsOf(name))}`
}

function isStep(row: Fields): boolean {
  return idOf(row) !== '' && Array.isArray(row['depends_on']) && row['depends_on'].every((id) => typeof id === 'string')
}

const idOf = (row: Fields): string => textOf(row['step_id'] ?? row['id'])

function stepOf(row: Fields): Step {
  const cost = numberOf(row['cost_usd'])
  const time = numberOf(row['latency_ms'])
  const notes = [
    cost === undefined ? '' : cost === 0 ? 'free' : numberText(cost, 'cost_usd'),
    time === undefined ? '' : `${numberText(time / 1_000)} s`,
    textOf(row['protocol']),
  ]
  const after = Array.isArray(row['depends_on']) ? row['depends_on'].map(textOf) : []
  return {
    id: idOf(row),
    tool: textOf(row['tool_slug'] ?? row['tool'] ?? row['name']),
    note: notes.filter((note) => note !== '').join(' · '),
    after,
  }
}

function graphOf(steps: readonly Step[]): Markup {
  // Names of others are no keys here: a step is known by its place.
  const placeOf = new Map(steps.map(({ id }, index) => [id, `n${index}`]))
  const edges = steps.flatMap(({ after }, index) =>
    after.flatMap((id): readonly Edge[] => {
      const from = placeOf.get(id)
      return from === undefined || from === `n${index}` ? [] : [[from, `n${index}`]]
    }),
  )
  const { places, lines, width, height } = laidOut(steps.length, edges)
  const said = steps.map(
    ({ id, tool, note, after }) =>
      `${id} ${tool}${note === '' ? '' : ` (${note})`}${after.length === 0 ? '' : ` after ${after.join(' and ')}`}`,
  )
  return html`<figure class="chart graph">
    <div class="pan" tabindex="0" role="region" aria-label="The steps as a graph">
      <svg
        viewBox="0 0 ${at(width)} ${at(height)}"
        width="${Math.ceil(width)}"
        height="${Math.ceil(height)}"
        role="img"
        aria-label="${shortened(said.join('; '), 2_000)}"
      >
        ${lines.map(arrow)} ${steps.map((step, index) => stepBox(step, places[index] ?? nowhere))}
      </svg>
    </div>
    <figcaption>An arrow leads from a step to one that waits for it.</figcaption>
  </figure>`
}

type Edge = readonly [from: string, to: string]
type Place = { readonly x: number; readonly y: number }
const nowhere: Place = { x: 0, y: 0 }

/** Where the boxes and the arrows between them have their places. The library's own types are of no use to Node's resolution. */
function laidOut(count: number, edges: readonly Edge[]) {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'TB', ranksep: 34, nodesep: 16, marginx: 4, marginy: 4 })
  graph.setDefaultEdgeLabel(() => ({}))
  const names = Array.from({ length: count }, (_value, index) => `n${index}`)
  for (const name of names) graph.setNode(name, { ...box })
  for (const [from, to] of edges) graph.setEdge(from, to)
  layout(graph)
  const whole: unknown = graph.graph()
  const size = isFields(whole) ? whole : {}
  return {
    places: names.map((name) => placeIn(graph.node(name))),
    lines: edges.map(([from, to]) => pointsIn(graph.edge(from, to))),
    width: numberOf(size['width']) ?? 0,
    height: numberOf(size['height']) ?? 0,
  }
}

function placeIn(value: unknown): Place {
  return isFields(value) ? { x: numberOf(value['x']) ?? 0, y: numberOf(value['y']) ?? 0 } : nowhere
}

function pointsIn(value: unknown): readonly Place[] {
  const points = isFields(value) ? value['points'] : undefined
  return Array.isArray(points) ? points.map(placeIn) : []
}

function stepBox({ id, tool, note }: Step, { x, y }: Place): Markup {
  return html`<g transform="translate(${at(x - box.width / 2)} ${at(y - box.height / 2)})">
    <rect class="box" width="${box.width}" height="${box.height}" rx="7" />
    <text class="name" x="10" y="20">${shortened(`${id} ${tool}`, 23)}</text>
    <text x="10" y="37">${shortened(note, 28)}</text>
  </g>`
}

function arrow(places: readonly Place[]): Markup {
  const points = places.map(({ x, y }): [number, number] => [x, y])
  const [before, end] = points.slice(-2)
  if (before === undefined || end === undefined) return nothing
  // It may end at the side of a box; the tip goes the way of the line.
  const turn = (Math.atan2(end[1] - before[1], end[0] - before[0]) * 180) / Math.PI
  return html`<path class="edge" d="${line().curve(curveBasis)(points) ?? ''}" />
    <path class="tip" d="M0 0L-8 -4L-8 4Z" transform="translate(${at(end[0])} ${at(end[1])}) rotate(${at(turn)})" />`
}

const head = ['step_id', 'id', 'tool_slug', 'tool', 'cost_usd', 'depends_on', 'rationale', 'inputs']

function columnsOf(rows: readonly Fields[]): readonly Column[] {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const names = [...head.filter((name) => all.includes(name)), ...all.filter((name) => !head.includes(name))]
  return names.map((name) => {
    const { head, isNumber = false, cell } = columnOf(name, rows)
    return { head, isNumber, cell: (row) => (isSimple(row[name]) ? cell(row) : listText(row[name])) }
  })
}

function listText(value: unknown): Markup | string {
  if (Array.isArray(value) && value.every(isSimple)) {
    return value.length === 0 ? '–' : value.map((one) => plain(one)).join(', ')
  }
  return html`<code class="wrap">${shortened(plain(value), 400)}</code>`
}
