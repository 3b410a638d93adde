import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

import type { z } from 'zod'

/**
 * What one labelled set says of a tool: `right` of `cases`, and the cases that were wrong in words a person can read.
 */
export type Score = {
  readonly set: string
  readonly cases: number
  readonly right: number
  readonly wrong: readonly string[]
}

/** Where a judge finds sets beside the ones in its tool's folder; a judge without such a set just leaves it out. */
export type Outside = { readonly folder?: URL }

/** Reads the labelled sets of one tool and counts; the default export of `tools/<family>/<slug>/judge.ts`. */
export type Judge = (outside: Outside) => Promise<readonly Score[]>

/** A set of cases, one JSON object a line, named after its file. */
export type LabelledSet<T> = { readonly name: string; readonly cases: readonly T[] }

const halvedFile = /\.halved\.jsonl$/
const halfFile = /\.(open|closed)\.jsonl$/
const closed = ', closed half'

/**
 * The sets of a folder whose file names begin with `prefix`, in the order of the alphabet. A file `….halved.jsonl` is
 * two sets: the causes of what is wrong may be looked for in the open half; of the closed half only the count is told,
 * so that it goes on saying how well sentences are answered that nobody has looked at. A set that came in two halves is
 * two files, `….open.jsonl` and `….closed.jsonl`.
 * @param schema what a line holds; a damaged set fails instead of shrinking.
 */
export function labelledSets<T>(folder: URL, prefix: string, schema: z.ZodType<T>): readonly LabelledSet<T>[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((file) => {
      const lines = readFileSync(new URL(file, folder), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => ({ one: schema.parse(JSON.parse(line)), isClosed: isInClosedHalf(line) }))
      const half = halfFile.exec(file)?.[1]
      if (half !== undefined)
        return [{ name: file.replace(halfFile, `, ${half} half`), cases: lines.map(({ one }) => one) }]
      const name = file.replace(/(?:\.halved)?\.jsonl$/, '')
      if (!halvedFile.test(file)) return [{ name, cases: lines.map(({ one }) => one) }]
      return [
        { name: `${name}, open half`, cases: lines.filter(({ isClosed }) => !isClosed).map(({ one }) => one) },
        { name: `${name}${closed}`, cases: lines.filter(({ isClosed }) => isClosed).map(({ one }) => one) },
      ]
    })
}

/** The sets in a tool's own folder `labelled/`, and those from elsewhere whose names begin with `prefix`. */
export function allSets<T>(
  judge: { readonly url: string },
  { folder, prefix }: Outside & { readonly prefix: string },
  schema: z.ZodType<T>,
): readonly LabelledSet<T>[] {
  const foreign = folder === undefined ? [] : labelledSets(folder, prefix, schema)
  return [
    ...labelledSets(new URL('labelled/', judge.url), '', schema),
    ...foreign.map(({ name, cases }) => ({ name: `outside/${name}`, cases })),
  ]
}

/** The half follows from the sentence alone, so a label that is put right leaves it where it is. */
function isInClosedHalf(line: string): boolean {
  const fields: unknown = JSON.parse(line)
  const sentence = typeof fields === 'object' && fields !== null ? Object.values(fields)[0] : undefined
  const [first = 0] = createHash('sha256').update(String(sentence)).digest()
  return first % 2 === 1
}

/** Asks about every case and counts; `check` returns undefined where a case is right, else what was wrong with it. */
export async function scoreOf<T>(
  set: string,
  cases: readonly T[],
  check: (one: T) => Promise<string | undefined> | string | undefined,
): Promise<Score> {
  const wrong: string[] = []
  for (const one of cases) {
    const trouble = await check(one)
    if (trouble !== undefined) wrong.push(trouble)
  }
  const right = cases.length - wrong.length
  return { set, cases: cases.length, right, wrong: set.includes(closed) ? [] : wrong }
}
