/** One comparison of the report. */
export type Row = {
  readonly what: string
  readonly ours: string
  readonly theirs: string
  /** Undefined where there is nothing to compare with. */
  readonly ratio: number | undefined
  readonly goal: string
  readonly reached: boolean
}

/** The middle of some figures. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** The rows as a Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.ours,
    row.theirs,
    row.ratio?.toFixed(2) ?? '',
    row.goal,
    row.reached ? 'yes' : 'no',
  ])
  return [
    ['', 'Tollgate', 'beside it', 'ratio', 'goal', 'reached'],
    ['---', '---', '---', '---', '---', '---'],
    ...cells,
  ]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n')
}

/** Ends a bench file: the rows as lines of JSON for the one that started it, else as a table. */
export function report(rows: readonly Row[]): void {
  if (process.argv.includes('--json')) for (const row of rows) console.log(JSON.stringify(row))
  else console.log(`\n${tableOf(rows)}`)
}

/** What is worth knowing besides the rows; on stderr, where it is in nobody's way. */
export function note(text: string): void {
  console.error(text)
}
