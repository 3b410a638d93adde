/**
 * Scores the scanner against a labelled corpus and prints the tables of docs/tools/mcp-security-scanner.md.
 *
 *     TOLLGATE_SCANNER_CORPUS=<folder> node scripts/scanner-score.ts [--misses]
 *
 * The folder holds dev.jsonl and constructed_dev.jsonl: one JSON record a line with id, label, source_group,
 * acceptable_categories, expected_categories, twin and manifest. The corpus is not part of this project, since some of
 * its sources state no licence; where it is absent the command says so and ends with 0. It ends with 1 when a figure is
 * short of its goal.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

import { checkGroups, rankOf } from '../tools/agentic/mcp-security-scanner/model.ts'
import { scan } from '../tools/agentic/mcp-security-scanner/scan.ts'

const recordSchema = z.looseObject({
  id: z.string(),
  label: z.enum(['malicious', 'vulnerable', 'benign']),
  source_group: z.string(),
  attack_class: z.string().nullish(),
  acceptable_categories: z.array(z.string()).nullish(),
  expected_categories: z.array(z.string()).nullish(),
  twin: z.string().nullish(),
  manifest: z.unknown(),
})

type Row = z.output<typeof recordSchema> & {
  readonly findings: readonly { readonly check: string; readonly rank: number; readonly tool: string | undefined }[]
  readonly toolCount: number
  readonly ms: number
}

const medium = rankOf('medium')
const high = rankOf('high')
const folder = process.env['TOLLGATE_SCANNER_CORPUS']

if (folder === undefined || !existsSync(join(folder, 'dev.jsonl'))) {
  console.log('Skipped: TOLLGATE_SCANNER_CORPUS does not name a folder with dev.jsonl.')
} else {
  const published = rowsOf(join(folder, 'dev.jsonl'))
  const constructed = existsSync(join(folder, 'constructed_dev.jsonl'))
    ? rowsOf(join(folder, 'constructed_dev.jsonl'))
    : []
  report('Published records', published)
  if (constructed.length > 0) report('Constructed variants', constructed)
  judge(published, constructed)
}

function rowsOf(path: string): readonly Row[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const record = recordSchema.parse(JSON.parse(line))
      const start = performance.now()
      const { findings, toolCount } = scan(record.manifest)
      const ms = performance.now() - start
      return {
        ...record,
        toolCount,
        ms,
        findings: findings.map(({ check, severity, tool }) => ({ check, rank: rankOf(severity), tool })),
      }
    })
}

/** Whether a record has a finding from `rank` on in a category that its label accepts. */
function isFound({ findings, acceptable_categories }: Row, rank: number): boolean {
  const accepted = new Set(acceptable_categories ?? [])
  return findings.some((finding) => finding.rank >= rank && accepted.has(finding.check))
}

function isFlagged({ findings }: Row, rank: number): boolean {
  return findings.some((finding) => finding.rank >= rank)
}

function report(title: string, rows: readonly Row[]): void {
  const bad = rows.filter((row) => row.label !== 'benign')
  const good = rows.filter((row) => row.label === 'benign')
  console.log(`\n### ${title}\n`)
  table(
    ['Source', 'Label', 'Records', 'Found, medium or worse', 'Found, high or worse'],
    groups(bad, (row) => `${row.source_group}|${row.label}`).map(([key, members]) => [
      ...key.split('|'),
      String(members.length),
      share(members, (row) => isFound(row, medium)),
      share(members, (row) => isFound(row, high)),
    ]),
  )
  table(
    ['Category', 'Records', 'Found in exactly this category, medium or worse'],
    checkGroups.map((check) => {
      const members = bad.filter((row) => row.expected_categories?.includes(check))
      const found = (row: Row) => row.findings.some((finding) => finding.check === check && finding.rank >= medium)
      return [check, String(members.length), share(members, found)]
    }),
  )
  table(
    ['Honest source', 'Manifests', 'Flagged high or worse', 'Flagged medium or worse'],
    groups(good, (row) => row.source_group).map(([source, members]) => [
      source,
      String(members.length),
      share(members, (row) => isFlagged(row, high)),
      share(members, (row) => isFlagged(row, medium)),
    ]),
  )
  const times = rows.map((row) => row.ms).toSorted((a, b) => a - b)
  const at = (part: number) => times[Math.floor((times.length - 1) * part)]?.toFixed(1) ?? '-'
  console.log(`Time of a scan: ${at(0.5)} ms median, ${at(0.95)} ms p95, ${at(1)} ms worst.`)
  if (process.argv.includes('--misses')) {
    for (const row of bad.filter((one) => !isFound(one, medium)))
      console.log(`Missed: ${row.id} ${row.attack_class ?? ''}`)
    for (const row of good.filter((one) => isFlagged(one, high))) console.log(`Flagged: ${row.id}`)
  }
}

/** Compares what was reached with the goals that were set before the work began. */
function judge(published: readonly Row[], constructed: readonly Row[]): void {
  const of = (rows: readonly Row[], label: Row['label']) => rows.filter((row) => row.label === label)
  const malicious = of(published, 'malicious')
  const honest = of(published, 'benign')
  const tools = honest.reduce((sum, row) => sum + row.toolCount, 0)
  const flaggedTools = honest.reduce((sum, row) => sum + toolsFrom(row, high), 0)
  const sources = groups(malicious, (row) => row.source_group)
  const macro = sources.reduce((sum, [, rows]) => sum + part(rows, (row) => isFound(row, medium)), 0) / sources.length
  const twins = new Map(constructed.filter((row) => row.label === 'benign').map((row) => [row.attack_class, row]))
  const pairs = constructed.filter((row) => row.label !== 'benign' && twins.has(row.twin ?? ''))
  const apart = pairs.filter((row) => {
    const twin = twins.get(row.twin ?? '')
    return (
      isFound(row, medium) &&
      twin !== undefined &&
      !isFound({ ...twin, acceptable_categories: row.acceptable_categories }, medium)
    )
  })
  const hard = constructed.filter((row) => row.source_group === 'constructed-hard-negatives')
  const goals: readonly (readonly [string, number, '>=' | '<=', number])[] = [
    ['malicious found, medium or worse', part(malicious, (row) => isFound(row, medium)), '>=', 0.94],
    ['malicious found, high or worse', part(malicious, (row) => isFound(row, high)), '>=', 0.85],
    ['mean over malicious sources, medium or worse', macro, '>=', 0.93],
    ['vulnerable found, medium or worse', part(of(published, 'vulnerable'), (row) => isFound(row, medium)), '>=', 0.9],
    ['honest manifests flagged high or worse', part(honest, (row) => isFlagged(row, high)), '<=', 0.02],
    ['honest manifests flagged medium or worse', part(honest, (row) => isFlagged(row, medium)), '<=', 0.12],
    ['honest tools flagged high or worse', tools === 0 ? 0 : flaggedTools / tools, '<=', 0.004],
    [
      'constructed: disguised attacks found',
      part(of(constructed, 'malicious'), (row) => isFound(row, medium)),
      '>=',
      0.98,
    ],
    ['constructed: pairs told apart', pairs.length === 0 ? 1 : apart.length / pairs.length, '>=', 1],
    ['constructed: hard negatives flagged medium or worse', part(hard, (row) => isFlagged(row, medium)), '<=', 0],
  ]
  console.log('\n### Goals\n')
  const rows = goals.map(([name, value, sign, goal]) => {
    const isMet = sign === '>=' ? value >= goal : value <= goal
    if (!isMet) process.exitCode = 1
    return [name, percent(value), `${sign} ${percent(goal)}`, isMet ? 'met' : 'missed']
  })
  table(['Figure', 'Reached', 'Goal', ''], rows)
}

function toolsFrom(row: Row, rank: number): number {
  const names = row.findings.filter((finding) => finding.rank >= rank).map((finding) => finding.tool)
  return new Set(names.filter((name) => name !== undefined)).size
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly [string, readonly T[]])[] {
  const found = new Map<string, T[]>()
  for (const item of items) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item])
  return [...found].toSorted((a, b) => b[1].length - a[1].length)
}

function part<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(test).length / items.length
}

function share<T>(items: readonly T[], test: (item: T) => boolean): string {
  return items.length === 0 ? '-' : `${items.filter(test).length} (${percent(part(items, test))})`
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
  console.log('')
}
