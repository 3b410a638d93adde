import { nice, ticks } from 'd3-array'
import { area, curveLinear, type CurveFactory, curveStepAfter, line } from 'd3-shape'
import { html } from 'hono/html'

import { axisText, type Markup, nothing, shortened } from './values.ts'

export type Point = { readonly x: number; readonly y: number }

/**
 * Pictures are as wide as their place; their letters are not, so that they can be read on a telephone. The room for
 * letters is therefore that of the narrowest place.
 */
export const frame = { width: 340, height: 150, left: 46, right: 12, top: 12, bottom: 20 } as const
export const floor: number = frame.height - frame.bottom

export type Axes = {
  readonly x: (value: number) => number
  readonly y: (value: number) => number
  /** The lines behind the picture, with what they stand for. */
  readonly grid: Markup
}

export type AxesParts = {
  readonly x: readonly [number, number]
  readonly y: readonly [number, number]
  /** The words at both ends of the horizontal axis. */
  readonly ends: readonly [string, string]
  /** The member whose unit the vertical axis has. */
  readonly name: string
}

/** Two axes, with round numbers on the vertical one. */
export function axesOf({ x: [from, to], y: [low, high], ends, name }: AxesParts): Axes {
  // A line that nothing changes is drawn in the middle.
  const room = low === high ? Math.abs(low) * 0.1 || 1 : 0
  // What is never below zero has no axis that goes there.
  const least = low < 0 ? low - room : Math.max(0, low - room)
  const [bottom, top] = nice(least, high + room, 3)
  const y = (value: number): number => floor - ((value - bottom) / (top - bottom)) * (floor - frame.top)
  const wide = frame.width - frame.right - frame.left
  const x = (value: number): number => frame.left + (from === to ? 0.5 : (value - from) / (to - from)) * wide
  const grid = html`<g class="grid" aria-hidden="true">
    ${ticks(bottom, top, 3).map(
      (tick) =>
        html`<line x1="${frame.left}" x2="${frame.width - frame.right}" y1="${at(y(tick))}" y2="${at(y(tick))}" />
          <text x="${frame.left - 5}" y="${at(y(tick) + 3)}" text-anchor="end">${axisText(tick, name)}</text>`,
    )}
    <text x="${frame.left}" y="${frame.height - 5}">${ends[0]}</text>
    <text x="${frame.width - frame.right}" y="${frame.height - 5}" text-anchor="end">${ends[1]}</text>
  </g>`
  return { x, y, grid }
}

/** A picture with what it says in words, for those who do not see it, and below it. */
export function figure(label: string, body: Markup, caption = label, height: number = frame.height): Markup {
  return html`<figure class="chart">
    <svg viewBox="0 0 ${frame.width} ${height}" role="img" aria-label="${label}">${body}</svg>
    <figcaption>${caption}</figcaption>
  </figure>`
}

/** Values that follow each other. */
export function lineChart(points: readonly Point[], parts: Omit<AxesParts, 'x' | 'y'>, label: string): Markup {
  const { x, y, drawn } = filledLine(points, parts, curveLinear)
  const dots =
    points.length > 40
      ? nothing
      : html`${points.map((point) => html`<circle cx="${at(x(point.x))}" cy="${at(y(point.y))}" r="2.2" />`)}`
  return figure(label, html`${drawn}${dots}`)
}

/** The axes, the line through the points, and what is under it. */
function filledLine(points: readonly Point[], parts: Omit<AxesParts, 'x' | 'y'>, curve: CurveFactory) {
  const ys = points.map(({ y }) => y)
  const { x, y, grid } = axesOf({ ...parts, x: rangeOf(points.map((point) => point.x)), y: rangeOf(ys) })
  const path = line<Point>(
    (point) => x(point.x),
    (point) => y(point.y),
  ).curve(curve)([...points])
  const fill = area<Point>(
    (point) => x(point.x),
    floor,
    (point) => y(point.y),
  ).curve(curve)([...points])
  const drawn = html`${grid}<path class="area" d="${fill ?? ''}" /><path class="stroke" d="${path ?? ''}" />`
  return { x, y, drawn } as const
}

/** Events that happen now and then, each as high as it is great. */
export function stemChart(points: readonly Point[], parts: Omit<AxesParts, 'x' | 'y'>, label: string): Markup {
  const [low, high] = rangeOf([0, ...points.map((point) => point.y)])
  const { x, y, grid } = axesOf({ ...parts, x: rangeOf(points.map((point) => point.x)), y: [low, high] })
  const stems = points.map(
    (point) =>
      html`<path class="stroke" d="M${at(x(point.x))} ${at(y(0))}V${at(y(point.y))}" />
        <circle cx="${at(x(point.x))}" cy="${at(y(point.y))}" r="3" />`,
  )
  return figure(label, html`${grid}${stems}`)
}

/** What each further unit costs: steps from the first on. */
export function stepChart(points: readonly Point[], parts: Omit<AxesParts, 'x' | 'y'>, label: string): Markup {
  return figure(label, filledLine(points, parts, curveStepAfter).drawn)
}

/** A mark with its name, away from the edge that it would be cut by. */
export function named(x: number, y: number, name: string): Markup {
  const isRight = x > frame.width * 0.6
  return html`<text x="${at(isRight ? x - 6 : x + 6)}" y="${at(y + 3)}" ${isRight ? html`text-anchor="end"` : ''}>
    ${shortened(name, 14)}
  </text>`
}

export function rangeOf(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values), Math.max(...values)]
}

/** A place in a picture, to a tenth. */
export function at(value: number): string {
  return value.toFixed(1)
}
