import { readdirSync, readFileSync } from 'node:fs'

import type { z } from 'zod'

/** What one labelled set says of a tool: `right` of `cases`, and the cases that were wrong in words a person can read. */
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

/**
 * The sets of a folder whose file names begin with `prefix`, in the order of the alphabet.
 * @param schema what a line holds; a damaged set fails instead of shrinking.
 */
export function labelledSets<T>(folder: URL, prefix: string, schema: z.ZodType<T>): readonly LabelledSet<T>[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && name.endsWith('.jsonl'))
    .toSorted()
    .map((name) => ({
      name: name.replace(/\.jsonl$/, ''),
      cases: readFileSync(new URL(name, folder), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => schema.parse(JSON.parse(line))),
    }))
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
  return { set, cases: cases.length, right: cases.length - wrong.length, wrong }
}
