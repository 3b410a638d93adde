import { html } from 'hono/html'

import { wordsOf } from '../words.ts'
import { lineChart, stemChart } from './chart.ts'
import { type Fields, isNaming, type Markup, nothing, numberOf, numberText, plain, textOf } from './values.ts'

const inTime = /(^|_)(block|time|date|day|hour|week|at|timestamp)(_?number)?$|[a-z](Block|Time|Date|Day|At)(Number)?$/i
/** More lines than these say less. */
const mostLines = 2

/** Lines over rows that follow each other in time; the table below them is their text. */
export function series(rows: readonly Fields[], names: readonly string[]): Markup {
  const along = names.find((name) => inTime.test(name) && isRising(rows.map((row) => momentOf(row[name]))))
  if (along === undefined || rows.length < 3) return nothing
  const measures = names.filter(
    (name) =>
      name !== along && !isNaming(name) && !inTime.test(name) && rows.every((row) => numberOf(row[name]) !== undefined),
  )
  const moments = rows.map((row) => momentOf(row[along]) ?? 0)
  // Newest first reads well in a table; a line goes the way of time.
  const rising = (moments[0] ?? 0) < (moments.at(-1) ?? 0) ? rows : rows.toReversed()
  const byWorth = measures.toSorted((a, b) => Number(/usd/i.test(b)) - Number(/usd/i.test(a)))
  return html`${byWorth.slice(0, mostLines).map((measure) => lineOf(rising, along, measure))}`
}

function lineOf(rows: readonly Fields[], along: string, measure: string): Markup {
  const points = rows.map((row) => ({ x: momentOf(row[along]) ?? 0, y: numberOf(row[measure]) ?? 0 }))
  const values = points.map(({ y }) => y)
  const ends: readonly [string, string] = [endOf(rows[0]?.[along], along), endOf(rows.at(-1)?.[along], along)]
  const [least, most, last] = [Math.min(...values), Math.max(...values), values.at(-1) ?? 0].map((value) =>
    numberText(value, measure),
  )
  const range = least === most ? `${last} throughout` : `from ${least} to ${most}, the last ${last}`
  const label = `${wordsOf(measure)} by ${wordsOf(along)}: ${range}`
  const draw = isRegular(points.map(({ x }) => x)) ? lineChart : stemChart
  return draw(points, { ends, name: measure }, label)
}

/** Whether moments are about as far from each other: events that happen now and then are not joined by a line. */
function isRegular(moments: readonly number[]): boolean {
  const steps = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0))
  return Math.max(...steps) <= 4 * Math.min(...steps)
}

function endOf(value: unknown, along: string): string {
  return typeof value === 'string' && value.length > 10 ? value.slice(0, 10) : plain(value, along)
}

function momentOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const time = /^\d{4}-\d\d/.test(textOf(value)) ? Date.parse(textOf(value)) : Number.NaN
  return Number.isFinite(time) ? time : undefined
}

/** Whether moments only go on, or only go back; others are no course of time. */
function isRising(moments: readonly (number | undefined)[]): boolean {
  if (moments.some((moment) => moment === undefined)) return false
  const steps = moments.slice(1).map((moment, index) => Math.sign((moment ?? 0) - (moments[index] ?? 0)))
  return steps.length > 0 && (steps.every((step) => step > 0) || steps.every((step) => step < 0))
}
