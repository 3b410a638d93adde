import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { z } from 'zod'

import { createLearner } from '../../../scripts/scanner/learner.ts'
import { allWritten, publishedItems, read, writtenItems } from '../../../scripts/scanner/records.ts'
import type { Item } from '../../../scripts/scanner/records.ts'
import { ownItems, validated } from '../../../scripts/scanner/validate.ts'
import type { Judge, Score } from '../../../test/harness/judge.ts'
import honestTools from './labelled/honest-tools.json' with { type: 'json' }
import { disguisedManifests } from './labelled/disguised.ts'
import { rankOf } from './model.ts'
import type { Finding, Severity } from './model.ts'
import { scan, scanWith } from './scan.ts'
import { isToolName } from './vocabulary.ts'
import { witnessModel } from './witness/model.ts'
import type { WitnessModel } from './witness/model.ts'

/**
 * What the scanner says of what it has not seen, in the order of what that is worth: source families and writers left
 * out, VIGIL as a whole, attacks among honest tools, honest manifests out of fold, disguises, structural pairs, and
 * last what was fitted. The sets of this folder run everywhere; the labelled corpus (`TOLLGATE_SCANNER_CORPUS`) is not
 * part of this project, and its sets are left out where it is absent. The rules have seen the corpus' development part,
 * so only VIGIL, and the texts by many hands, are unseen by both witnesses there.
 */
const judge: Judge = async (outside) => {
  const corpus = process.env['TOLLGATE_SCANNER_CORPUS']
  const found = corpus === undefined || !existsSync(join(corpus, 'dev.jsonl')) ? nothing : await corpusScores(corpus)
  const sets = [outsideScores(outside.folder), found, ownScores()]
  return order.flatMap((part) => sets.flatMap((set) => set[part]))
}

export default judge

/** The parts of the report, in their order. */
const order = ['leftOut', 'vigil', 'diluted', 'honest', 'disguises', 'pairs', 'fitted'] as const
type Parts = Readonly<Record<(typeof order)[number], readonly Score[]>>
const nothing: Parts = { leftOut: [], vigil: [], diluted: [], honest: [], disguises: [], pairs: [], fitted: [] }

const wording = ['prompt-injection', 'exfiltration', 'resource-access', 'privilege-escalation'] as const

type Case = {
  readonly id: string
  readonly manifest: unknown
  readonly accepted: readonly string[]
  /** The tools that attack, where others of the manifest are honest; a finding about another does not count. */
  readonly poisoned?: readonly string[] | undefined
  /** Whether what stands outside of tools attacks as well. */
  readonly isOutside?: boolean
}

function reaches(findings: readonly Finding[], one: Case, severity: Severity): boolean {
  return findings.some(
    (finding) =>
      rankOf(finding.severity) >= rankOf(severity) && one.accepted.includes(finding.check) && isAbout(finding, one),
  )
}

function isAbout({ tool }: Finding, { poisoned, isOutside }: Case): boolean {
  if (poisoned === undefined) return true
  return tool === undefined ? isOutside === true : poisoned.includes(tool)
}

/** Two sets: found at medium or worse, and found at high or worse. */
function foundScores(set: string, cases: readonly Case[], model: (one: Case) => WitnessModel): readonly Score[] {
  const told = cases.map((one) => ({ one, findings: scanWith(model(one), one.manifest).findings }))
  return (['medium', 'high'] as const).map((severity) =>
    scoreOf(
      `${set}: found ${severity}`,
      told.map(({ one, findings }) => [one.id, reaches(findings, one, severity)]),
    ),
  )
}

/** Two sets: not called high, and not called medium either. */
function honestScores(set: string, cases: readonly Case[], model: (one: Case) => WitnessModel): readonly Score[] {
  const told = cases.map((one) => ({ one, findings: scanWith(model(one), one.manifest).findings }))
  return (['high', 'medium'] as const).map((severity) =>
    scoreOf(
      `${set}: not called ${severity}`,
      told.map(({ one, findings }) => [
        one.id,
        !findings.some((finding) => rankOf(finding.severity) >= rankOf(severity)),
      ]),
    ),
  )
}

function scoreOf(set: string, answers: readonly (readonly [string, boolean])[]): Score {
  const wrong = answers.filter(([, isRight]) => !isRight).map(([id]) => id)
  return { set, cases: answers.length, right: answers.length - wrong.length, wrong }
}

const shipped = (): WitnessModel => witnessModel()

const recordSchema = z.looseObject({
  id: z.string(),
  label: z.enum(['malicious', 'vulnerable', 'benign']),
  source_group: z.string(),
  acceptable_categories: z.array(z.string()).nullish(),
  attack_class: z.string().nullish(),
  twin: z.string().nullish(),
  manifest: z.unknown(),
})
type Row = z.output<typeof recordSchema>

async function corpusScores(corpus: string): Promise<Parts> {
  const rows = rowsIn(join(corpus, 'dev.jsonl'))
  const made = rowsIn(join(corpus, 'constructed_dev.jsonl'))
  const vigil = rowsIn(join(corpus, 'validation_vigil.jsonl')).map(caseOf)
  const written = allWritten()
  const published = publishedItems(corpus)
  const items = read([...published, ...written, ...ownItems(published)])
  const known = new Map(items.map((item) => [item.id, item]))
  await using learner = createLearner(items)
  const { unseenBy } = await validated(items, learner)
  const unseen = ({ id }: Case): WitnessModel => {
    const item: Item | undefined = known.get(id)
    return (item === undefined ? undefined : unseenBy(item)) ?? witnessModel()
  }
  const leftOut = rows.filter(({ id, label }) => label === 'malicious' && known.has(id)).map(caseOf)
  const hosts = rows
    .filter(({ label, manifest }) => label === 'benign' && toolsOf(manifest).length >= 25)
    .map(({ manifest }) => toolsOf(manifest).slice(0, 40))
  const inside = (cases: readonly Case[]): readonly Case[] =>
    cases.flatMap((one, index) => among(one, hosts[(index * 31) % hosts.length] ?? []))
  const writers = [...new Set(written.map(({ group }) => group))].map((writer) => ({
    writer,
    attacks: written.filter(({ group, isAttack }) => group === writer && isAttack).map(caseOfItem),
    honest: written.filter(({ group, isAttack }) => group === writer && !isAttack).map(caseOfItem),
  }))
  return {
    leftOut: [
      ...foundScores('corpus: left-out families', leftOut, unseen),
      ...writers.flatMap(({ writer, attacks }) => foundScores(`corpus: ${writer} writer, left out`, attacks, unseen)),
    ],
    vigil: foundScores('corpus: VIGIL', vigil, shipped),
    diluted: [
      ...foundScores('corpus: left-out families among 25 to 40 honest tools', inside(leftOut), unseen),
      ...foundScores('corpus: VIGIL among 25 to 40 honest tools', inside(vigil), shipped),
      ...writers.flatMap(({ writer, attacks }) =>
        foundScores(`corpus: ${writer} writer, left out, among 25 to 40 honest tools`, inside(attacks), unseen),
      ),
    ],
    honest: [
      ...honestScores(
        'corpus: honest manifests out of fold',
        rows.filter(({ label }) => label === 'benign').map(caseOf),
        unseen,
      ),
      ...writers.flatMap(({ writer, honest }) =>
        honestScores(`corpus: ${writer} writer, honest, left out`, honest, unseen),
      ),
      ...honestScores(
        'corpus: hard negatives',
        made.filter(({ source_group }) => source_group === 'constructed-hard-negatives').map(caseOf),
        shipped,
      ),
    ],
    disguises: foundScores('corpus: disguises', made.filter(({ label }) => label === 'malicious').map(caseOf), shipped),
    pairs: [pairScore(made)],
    fitted: foundScores('corpus: fitted', rows.filter(({ label }) => label === 'malicious').map(caseOf), shipped),
  }
}

/** Whether a weak manifest is told from its repaired twin. */
function pairScore(made: readonly Row[]): Score {
  const twins = new Map(made.filter(({ label }) => label === 'benign').map((row) => [row.attack_class, row]))
  const pairs = made.filter(({ label, twin }) => label !== 'benign' && twins.has(twin ?? ''))
  return scoreOf(
    'corpus: structural pairs',
    pairs.map((row) => {
      const one = caseOf(row)
      const twin = twins.get(row.twin ?? '')
      const isApart =
        reaches(scan(row.manifest).findings, one, 'medium') && !reaches(scan(twin?.manifest).findings, one, 'medium')
      return [row.id, isApart]
    }),
  )
}

/**
 * The tools of a case that attack (its first one where it is not said which) among honest ones, at a place that depends
 * on its id; what it has outside of tools stays where it is. What is said of an honest tool does not count, and what is
 * said of the instructions, prompts or resources counts only where the case does not name the tools that attack.
 */
function among(one: Case, honest: readonly unknown[]): readonly Case[] {
  const manifest = listSchema.safeParse(one.manifest).data
  const all = (manifest?.tools ?? []).map((tool) => ({ tool, name: nameSchema.safeParse(tool).data?.name ?? '' }))
  const guests = one.poisoned === undefined ? all.slice(0, 1) : all.filter(({ name }) => one.poisoned?.includes(name))
  const isOutside = one.poisoned === undefined && outside.some((part) => !isNothing(manifest?.[part]))
  if ((guests.length === 0 && !isOutside) || honest.length === 0) return []
  const at = one.id.length % honest.length
  const tools = [...honest.slice(0, at), ...guests.map(({ tool }) => tool), ...honest.slice(at)]
  return [
    {
      ...one,
      manifest: { ...manifest, tools },
      poisoned: guests.map(({ name }) => name),
      isOutside,
    },
  ]
}

/** Parts of a manifest that speak to the model and belong to no tool. */
const outside = ['instructions', 'prompts', 'resources', 'resourceTemplates'] as const

function isNothing(part: unknown): boolean {
  return part === undefined || part === null || part === '' || (Array.isArray(part) && part.length === 0)
}

const nameSchema = z.looseObject({ name: z.string() })
const listSchema = z.looseObject({ tools: z.array(z.unknown()) })

function toolsOf(manifest: unknown): readonly unknown[] {
  return listSchema.safeParse(manifest).data?.tools ?? []
}

function caseOf({ id, manifest, acceptable_categories }: Row): Case {
  return { id, manifest, accepted: acceptable_categories ?? [] }
}

function rowsIn(file: string): readonly Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => recordSchema.parse(JSON.parse(line)))
}

function caseOfItem({ id, manifest, poisoned }: Item): Case {
  return { id, manifest, accepted: wording, poisoned: poisoned?.length === 0 ? undefined : poisoned }
}

/** Texts by hands that were never learned from, alone and among honest tools, and disguises in ten languages. */
function ownScores(): Parts {
  const items = writtenItems(fileURLToPath(new URL('labelled/', import.meta.url)))
  // Thirty of this project's own tools as they once were, so that a floor does not hang on their wording.
  const honestList = toolsOf(honestTools)
  const hands = [...new Set(items.map(({ group }) => group))].map((hand) => ({
    hand,
    attacks: items.filter(({ group, isAttack }) => group === hand && isAttack).map(caseOfItem),
    honest: items
      .filter(({ group, isAttack }) => group === hand && !isAttack)
      .map((item) => amidItsOwn(caseOfItem(item))),
  }))
  return {
    ...nothing,
    leftOut: hands.flatMap(({ hand, attacks }) => foundScores(hand, attacks, shipped)),
    diluted: hands.flatMap(({ hand, attacks }) =>
      foundScores(
        `${hand}, among 30 honest tools`,
        attacks.flatMap((one) => among(one, honestList)),
        shipped,
      ),
    ),
    honest: hands.flatMap(({ hand, honest }) => honestScores(`${hand}, honest`, honest, shipped)),
    disguises: foundScores(
      'disguises in ten languages',
      disguisedManifests().map(({ id, manifest }) => ({ id, manifest, accepted: wording })),
      shipped,
    ),
  }
}

/**
 * An honest text in a server that has the tools which the text names. It was written about one tool of a server, whose
 * others were not written down; without them it would speak of tools that no manifest has, which its server does not.
 */
function amidItsOwn(one: Case): Case {
  const manifest = listSchema.safeParse(one.manifest).data
  if (manifest === undefined) return one
  const named = [...JSON.stringify(manifest).matchAll(/`([A-Za-z][\w-]{2,60})(?:\(\))?`/g)].map(([, name = '']) => name)
  const beside = [...new Set(named)].filter((name) => isToolName(name) || name.includes('_')).map((name) => ({ name }))
  return { ...one, manifest: { ...manifest, tools: [...manifest.tools, ...beside] } }
}

/** In a list of so many tools an attack stands inside of honest ones. */
const longList = 8

/** Sets of another folder: files of manifests, `attacks…` and `honest…`. */
function outsideScores(folder: URL | undefined): Parts {
  if (folder === undefined) return nothing
  const items = writtenItems(fileURLToPath(folder), (file) => /^(?:attacks|honest)/.test(file)).map((item) => ({
    ...caseOfItem(item),
    isAttack: item.isAttack,
  }))
  const attacks = items.filter(({ isAttack }) => isAttack)
  const isInside = ({ manifest }: Case): boolean => toolsOf(manifest).length >= longList
  return {
    ...nothing,
    leftOut: foundScores(
      'outside: attacks in lists of their own',
      attacks.filter((one) => !isInside(one)),
      shipped,
    ),
    diluted: foundScores('outside: attacks inside honest lists', attacks.filter(isInside), shipped),
    honest: honestScores(
      'outside: honest',
      items.filter(({ isAttack }) => !isAttack),
      shipped,
    ),
  }
}
