/**
 * Sorts what `duplicates` found:
 *
 *     duplicates --most 200 --seconds 300 | node scripts/pairs.ts [--strict] [--samples] [--all]
 *
 * What counts is written twice, or may be. Rows of tables are alike because they are rows of one table, labelled
 * contracts because each is a case of a data set and whole by itself, and SQLite stands beside Postgres on purpose.
 * `--strict` counts types too that are alike in shape only, `--samples` the labelled contracts; `--all` shows every
 * pair.
 */
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

type Place = { readonly file: string; readonly lines: readonly string[] }

const pairLine = /^D\d+ (\S+):(\d+)-(\d+) ~ (\S+):(\d+)-(\d+)(.*)/
const samples = /^tools\/[^/]+\/[^/]+\/contracts\/.*\.sol$/
const stores = /^src\/store\/(?:postgres|sqlite)/

/**
 * A line of a literal: an entry with its name (of YAML too), an item of a list, a part of a schema, or the brackets
 * around them.
 */
const rowParts = [
  String.raw`['"\`\[\]{}()]`,
  String.raw`-?\d`,
  String.raw`(?:- )?[\w$]+:(?:\s|$)`,
  String.raw`\.\w+\(`,
  String.raw`\/[^/*]`,
  String.raw`(?:null|true|false|undefined|z|\w+),?$`,
  String.raw`(?:export )?const \w+(?:: [\w<>]+)? = (?:[[{\d'"]|z\.|(?:new Set|parseAbi)\(\[)`,
  String.raw`(?:it|describe)\.each\(\[`,
]
const row = new RegExp(`^(?:${rowParts.join('|')})`)
/** A name in a list of imports, which `duplicates` passes over where it stands in one line. */
const imported = /^(?:import\b|type \w+,$|\} from ')/
const comment = /^(?:\/\/|\/?\*)/
const member = /^(?:readonly |(?:export )?(?:type|interface) |\| \{ readonly )/

function placeOf(file: string, from: string, to: string): Place {
  const all = readFileSync(file, 'utf8').split('\n')
  const lines = all.slice(Number(from) - 1, Number(to)).map((line) => line.trim())
  return { file, lines: lines.filter((line) => line !== '' && !comment.test(line)) }
}

/** Two thirds of it, because a run may begin before a table or end after it. */
const areMostly = ({ lines }: Place, is: (line: string) => boolean): boolean =>
  lines.filter(is).length * 3 >= lines.length * 2

function kindOf(places: readonly Place[], isShape: boolean): string {
  if (places.every(({ file }) => stores.test(file))) return 'SQLite beside Postgres'
  if (places.every(({ file }) => samples.test(file))) return 'labelled contracts'
  if (places.some(({ file }) => file.endsWith('.sol'))) return 'Solidity'
  if (places.every((place) => areMostly(place, (line) => row.test(line) || imported.test(line)))) return 'rows'
  const isDeclared = (line: string): boolean => member.test(line) || row.test(line)
  if (!places.every((place) => areMostly(place, isDeclared))) return 'statements'
  return isShape ? 'types of one shape' : 'types'
}

const has = (flag: string): boolean => process.argv.includes(flag)
/** Types whose members have other names and other meanings are alike by chance: five texts and a number. */
const outside = [
  'rows',
  'SQLite beside Postgres',
  ...(has('--samples') ? [] : ['labelled contracts']),
  ...(has('--strict') ? [] : ['types of one shape']),
]
const found = (await text(process.stdin)).split('\n').flatMap((line) => {
  const [, one = '', from = '', to = '', other = '', start = '', end = '', rest = ''] = pairLine.exec(line) ?? []
  return one === ''
    ? []
    : [{ line, kind: kindOf([placeOf(one, from, to), placeOf(other, start, end)], rest.includes(' shape')) }]
})
const shown = has('--all') ? found : found.filter(({ kind }) => !outside.includes(kind))
for (const { line, kind } of shown) console.log(`${kind.padEnd(11)} ${line}`)
const say = (count: number, what: string): void => console.log(`${String(count).padStart(4)} ${what}`)
for (const kind of new Set(found.map((one) => one.kind))) say(found.filter((one) => one.kind === kind).length, kind)
say(found.filter(({ kind }) => !outside.includes(kind)).length, `count, of ${found.length}`)
