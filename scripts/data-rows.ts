import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

/** A row of a dated data file, with what every such row has to hold. */
export type DatedRow = {
  readonly file: string
  readonly name: string
  readonly verifiedAt: string
  readonly source: string
  /** The last day on which a program takes applications, where the row still calls it open. */
  readonly openUntil: string | undefined
}

/** What became of a row. `unread` rows were not reached and are not called anything else. */
type State = 'fine' | 'changed' | 'gone' | 'unread' | 'wrong'
export type Finding = { readonly row: DatedRow; readonly state: State; readonly ageDays: number; readonly why: string }

const dated = z.looseObject({ verifiedAt: z.string() })
const file = z.looseObject({ rows: z.array(z.looseObject({})) })
const open = z.looseObject({ status: z.literal('open'), deadline: z.looseObject({ date: z.string() }) })

/** Rows of one parsed JSON file. A date or source at its head stands for the rows that have none of their own. */
export function rowsOf(path: string, json: unknown): readonly DatedRow[] {
  const head = z.looseObject({ verifiedAt: z.string().optional(), source: z.string().optional() }).safeParse(json).data
  const rows = file.safeParse(json).data?.rows ?? []
  const isDated = head?.verifiedAt !== undefined || rows.some((row) => dated.safeParse(row).success)
  if (!isDated) return []
  const one = (row: Readonly<Record<string, unknown>>, name: string): DatedRow => ({
    file: path,
    name,
    verifiedAt: textOf(row['verifiedAt']) ?? head?.verifiedAt ?? '',
    source: textOf(row['source']) ?? head?.source ?? '',
    openUntil: open.safeParse(row).data?.deadline.date,
  })
  // A file with one date for all of its rows is checked once.
  if (head?.verifiedAt !== undefined) return [one({}, 'the whole file')]
  return rows.map((row, index) => one(row, nameOf(row) ?? `row ${index + 1}`))
}

/** Every row of every dated JSON file below `root` that is data of the project, not of its tests. */
export function readDatedRows(root: string): readonly DatedRow[] {
  return globSync('{src,tools,sandbox}/**/*.json', { cwd: root })
    .filter((path) => !/fixtures|labelled|recorded|\.snap\.json$|\.schema\.json$/.test(path))
    .sort()
    .flatMap((path) => rowsOf(path, JSON.parse(readFileSync(join(root, path), 'utf8'))))
}

function nameOf(row: Readonly<Record<string, unknown>>): string | undefined {
  return textOf(row['id']) ?? textOf(row['host']) ?? textOf(row['name'])
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** What is wrong with the row as it is written, or undefined. */
export function faultOf({ verifiedAt, source, openUntil }: DatedRow, today: string): string | undefined {
  if (!z.iso.date().safeParse(verifiedAt).success) return `verifiedAt "${verifiedAt}" is no date`
  if (verifiedAt > today) return `verifiedAt ${verifiedAt} lies in the future`
  if (source === '') return 'no source'
  if (/^\w+:\/\//.test(source)) {
    const url = URL.parse(source)
    if (url?.protocol !== 'https:') return `source ${source} is no https address`
    if (/\.(json|ya?ml|csv)$|\/pull\/\d+/.test(url.pathname)) return `source ${source} is no page a person can read`
  }
  return openUntil !== undefined && openUntil < today
    ? `called open, but its deadline passed on ${openUntil}`
    : undefined
}

const timeoutMs = 10_000
const msPerDay = 86_400_000

type Seen = { readonly state: State; readonly why: string; readonly hasNetwork: boolean }

/** Asks the page of a row; `hasNetwork` is false where no answer of any kind came. */
export async function lookAt(row: DatedRow): Promise<Seen> {
  if (!/^https?:/.test(row.source))
    return { state: 'unread', why: 'the source is no address, a person has to look', hasNetwork: false }
  let answer: Response
  try {
    answer = await fetch(row.source, { signal: AbortSignal.timeout(timeoutMs) })
    await answer.body?.cancel()
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    return { state: 'unread', why: cause, hasNetwork: false }
  }
  return { ...verdictOn(row, answer), hasNetwork: true }
}

function verdictOn(row: DatedRow, answer: Response): Pick<Seen, 'state' | 'why'> {
  if (answer.status === 404 || answer.status === 410) return { state: 'gone', why: `HTTP ${answer.status}` }
  if (!answer.ok) return { state: 'unread', why: `HTTP ${answer.status}` }
  if (placeOf(answer.url) !== placeOf(row.source)) return { state: 'changed', why: `now at ${answer.url}` }
  const modified = Date.parse(answer.headers.get('last-modified') ?? '')
  if (modified >= Date.parse(row.verifiedAt) + msPerDay) {
    return { state: 'changed', why: `page modified on ${new Date(modified).toISOString().slice(0, 10)}` }
  }
  return { state: 'fine', why: 'the page answers' }
}

/** Host and path, without what a server adds for tidiness. */
function placeOf(address: string): string {
  const { hostname, pathname } = new URL(address)
  return `${hostname.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}`
}

/** Checks every row; offline only form and age. */
export async function checkRows(
  rows: readonly DatedRow[],
  today: string,
  isOffline: boolean,
): Promise<{ readonly findings: readonly Finding[]; readonly hasNetwork: boolean }> {
  const findings: Finding[] = []
  let hasNetwork = false
  let misses = 0
  for (const row of rows) {
    const ageDays = Math.round((Date.parse(today) - Date.parse(row.verifiedAt)) / msPerDay)
    const fault = faultOf(row, today)
    if (fault !== undefined) {
      findings.push({ row, state: 'wrong', ageDays, why: fault })
      continue
    }
    // After a few silent hosts and not one answer there is no network: waiting for the rest would tell nothing.
    const isSilent: boolean = isOffline || (!hasNetwork && misses >= 3)
    const seen: Seen = isSilent ? { state: 'unread', why: 'source not tried', hasNetwork: false } : await lookAt(row)
    hasNetwork ||= seen.hasNetwork
    if (!seen.hasNetwork && /^https?:/.test(row.source)) misses += 1
    findings.push({ row, state: seen.state, ageDays, why: seen.why })
  }
  return { findings, hasNetwork }
}
