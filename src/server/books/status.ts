import {
  type CallHistory,
  type CalledKind,
  type DayCalls,
  type History,
  type Incident,
  incidentRule,
  statusDays,
} from '../../describe/call-history.ts'
import type { Outcomes } from '../../store/outcomes.ts'
import { hourMs } from '../../store/tally.ts'

const dayHours = 24
/** An incident counts as still going on while its last failure is no older than this. */
const ongoingMs = 10 * 60_000
const mostIncidents = 100

/** Sums up the hourly counts of thirty days. */
export function callHistoryOf(hours: readonly Outcomes[], now: number): CallHistory {
  const called = new Map<string, Outcomes[]>()
  for (const one of hours.filter(({ kind }) => kind !== 'cause')) {
    const key = `${one.kind} ${one.name}`
    const known = called.get(key)
    if (known === undefined) called.set(key, [one])
    else known.push(one)
  }
  const causes = hours.filter(({ kind }) => kind === 'cause')
  const all = [...called.values()].map((some) => some.toSorted((a, b) => a.hour - b.hour))
  return {
    histories: all.flatMap((some) => historyOf(some, now)),
    incidents: all
      .flatMap((some) => runsOf(some))
      .flatMap((run) => incidentOf(run, causes, now))
      .toSorted((a, b) => b.begin.localeCompare(a.begin))
      .slice(0, mostIncidents),
  }
}

function historyOf(hours: readonly Outcomes[], now: number): readonly History[] {
  const [first] = hours
  if (first === undefined || first.kind === 'cause') return []
  const today = Math.floor(now / hourMs / dayHours)
  const byDay = new Map<number, Outcomes[]>()
  for (const one of hours) {
    const day = Math.floor(one.hour / dayHours)
    const known = byDay.get(day)
    if (known === undefined) byDay.set(day, [one])
    else known.push(one)
  }
  const days: readonly DayCalls[] = Array.from({ length: statusDays }, (_, index) => {
    const day = today - statusDays + 1 + index
    return { day: new Date(day * dayHours * hourMs).toISOString().slice(0, 10), ...sumOf(byDay.get(day) ?? []) }
  })
  const { answered, failed } = sumOf(days)
  const calls = answered + failed
  return [
    {
      kind: first.kind,
      name: first.name,
      answered,
      failed,
      share: calls === 0 ? null : Math.floor((answered / calls) * 10_000) / 10_000,
      days,
    },
  ]
}

function sumOf(some: readonly Pick<Outcomes, 'answered' | 'failed'>[]) {
  return {
    answered: some.reduce((sum, { answered }) => sum + answered, 0),
    failed: some.reduce((sum, { failed }) => sum + failed, 0),
  } as const
}

/** Hours in which too much failed, each run of neighbours together. */
function runsOf(hours: readonly Outcomes[]): readonly (readonly Outcomes[])[] {
  const runs: Outcomes[][] = []
  for (const one of hours) {
    if (one.failed < incidentRule.failed || one.failed / (one.failed + one.answered) < incidentRule.share) continue
    const last = runs.at(-1)
    if (last?.at(-1)?.hour === one.hour - 1) last.push(one)
    else runs.push([one])
  }
  return runs
}

function incidentOf(run: readonly Outcomes[], causes: readonly Outcomes[], now: number): readonly Incident[] {
  const [first] = run
  const last = run.at(-1)
  if (first === undefined || last === undefined || first.kind === 'cause') return []
  const begin = first.firstFailedAt ?? first.hour * hourMs
  const end = last.lastFailedAt ?? (last.hour + 1) * hourMs
  const { kind, name } = first
  return [
    {
      kind,
      name,
      begin: timeOf(begin),
      end: now - end < ongoingMs ? null : timeOf(end),
      ...sumOf(run),
      affected: kind === 'tool' ? [name] : affectedBy(kind, name, { from: first.hour, to: last.hour }, causes),
    },
  ]
}

/** The tools whose failures in that time are counted under this cause. */
function affectedBy(
  kind: CalledKind,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
  causes: readonly Outcomes[],
): readonly string[] {
  const cause = kind === 'facilitator' ? 'facilitator-unavailable' : name
  const prefix = `${cause}/`
  const tools = causes
    .filter((one) => one.hour >= from && one.hour <= to && one.name.startsWith(prefix))
    .map((one) => one.name.slice(prefix.length))
  return [...new Set(tools)].sort()
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
