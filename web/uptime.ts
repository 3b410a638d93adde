import { html, raw } from 'hono/html'

import type { DayCalls } from '../src/describe/call-history.ts'
import type { Markup } from './page.ts'

const bar = { width: 6, gap: 2, height: 20 } as const

/** What a day's colour stands for: no failure, some, and more than one call in ten. */
const grades = ['none', 'well', 'some', 'many'] as const
type Grade = (typeof grades)[number]

function gradeOf({ answered, failed }: DayCalls): Grade {
  if (answered + failed === 0) return 'none'
  if (failed === 0) return 'well'
  return failed / (answered + failed) > 0.1 ? 'many' : 'some'
}

/** Thirty days as bars, one path for each colour: a page has some forty of these. */
export function uptimeBars(name: string, days: readonly DayCalls[]): Markup {
  const places = new Map<Grade, string[]>()
  for (const [index, day] of days.entries()) {
    const grade = gradeOf(day)
    // A day without calls is a mark on the floor: its height tells it apart where colours do not.
    const [y, height] = grade === 'none' ? [bar.height - 4, 4] : [0, bar.height]
    const at = `M${index * (bar.width + bar.gap)} ${y}h${bar.width}v${height}h-${bar.width}z`
    places.set(grade, [...(places.get(grade) ?? []), at])
  }
  const width = days.length * (bar.width + bar.gap) - bar.gap
  return html`<svg
    class="uptime"
    viewBox="0 0 ${width} ${bar.height}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${wordsOf(name, days)}"
  >
    ${grades.map((grade) => {
      const path = places.get(grade)
      return path === undefined ? '' : html`<path class="${raw(grade)}" d="${raw(path.join(''))}" />`
    })}
  </svg>`
}

/** The same in words. */
function wordsOf(name: string, days: readonly DayCalls[]): string {
  const called = days.filter((day) => gradeOf(day) !== 'none')
  if (called.length === 0) return `${name}: nobody called in ${days.length} days.`
  const failing = called.filter(({ failed }) => failed > 0)
  const worst = failing.map(({ day, answered, failed }) => `${day} ${failed} of ${answered + failed} failed`)
  const shown = worst.slice(-5).join(', ')
  const rest = worst.length > 5 ? ` and ${worst.length - 5} days before` : ''
  return worst.length === 0
    ? `${name}: called on ${called.length} of ${days.length} days, and no call failed.`
    : `${name}: called on ${called.length} of ${days.length} days; ${shown}${rest}.`
}
