/** What a command lists: each row by the names of its columns. */
export type Row = Readonly<Record<string, string | number>>

/** Comma-separated values with a head line, as spreadsheets read them (RFC 4180). */
export function csvOf(rows: readonly Row[], names: readonly string[] = Object.keys(rows[0] ?? {})): string {
  return [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))]
    .map((cells) => cells.map(csvCell).join(','))
    .join('\n')
}

/** A cell that a spreadsheet takes for text: what a stranger named must not become a formula. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Lines of columns for a terminal. */
export function tableOf(
  rows: readonly Row[],
  names: readonly string[] = Object.keys(rows[0] ?? {}),
): readonly string[] {
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))]
  const widths = names.map((_name, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  return lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
