import type { InputRule, Knowledge, Kind } from '../tool/knowledge.ts'
import { type CatalogEntry, isRecord } from '../tool/tool.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** Something that a sentence can ask for: one tool, with all that is known of it. */
export type Subject = {
  readonly slug: string
  readonly knowledge: Knowledge
  /** Its name, tags and description, which say what it does in fewer words than the questions. */
  readonly about: string
  readonly inputs: readonly Input[]
}

/** One input of a tool and how a sentence fills it. */
export type Input = {
  readonly name: string
  readonly rule: InputRule
  readonly required: boolean
  readonly schema: JsonSchema
}

/** The tools of a catalog that a sentence can ask for. */
export async function subjectsOf(catalog: readonly CatalogEntry[]): Promise<readonly Subject[]> {
  return await Promise.all(
    catalog.map(async (entry) => {
      const knowledge = (await entry.knowledge?.()) ?? guessed(entry)
      return subjectOf(entry.slug, knowledge, aboutOf(entry), entry.inputSchema?.() ?? {})
    }),
  )
}

/** Joins what is known of a tool with the schema of its input, which the rules of plain inputs follow from. */
export function subjectOf(slug: string, knowledge: Knowledge, about: string, schema: JsonSchema): Subject {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const names = [...new Set([...Object.keys(properties), ...Object.keys(knowledge.inputs ?? {})])]
  const inputs = names.flatMap((name): readonly Input[] => {
    const own = isRecord(properties[name]) ? properties[name] : {}
    const rule = knowledge.inputs?.[name] ?? ruleFrom(name, own) ?? lastRuleFor(name, own, required.includes(name))
    const isNeeded = required.includes(name) || (rule !== undefined && 'needed' in rule && (rule.needed ?? false))
    return rule === undefined ? [] : [{ name, rule, required: isNeeded, schema: own }]
  })
  return { slug, knowledge, about, inputs }
}

/** How a sentence fills an input that nobody has written a rule for. */
function ruleFrom(name: string, schema: JsonSchema): InputRule | undefined {
  const pattern = typeof schema['pattern'] === 'string' ? schema['pattern'] : ''
  if (Array.isArray(schema['enum'])) {
    const options: readonly unknown[] = schema['enum']
    return { from: 'choice', words: Object.fromEntries(options.map((option) => [String(option), ''])) }
  }
  if (schema['type'] === 'boolean') return { from: 'flag', words: spoken(name) }
  if (schema['type'] === 'integer' || schema['type'] === 'number') {
    return /usd|dollars/i.test(name) ? { from: 'usd' } : { from: 'number', of: spoken(name) }
  }
  if (schema['type'] !== 'string') return undefined
  if (pattern.includes('0x')) return { from: /contract|token/i.test(name) ? 'contract' : 'wallet' }
  if (schema['format'] === 'uri') return { from: 'url' }
  if (schema['format'] === 'date-time' || schema['format'] === 'date') return { from: 'time' }
  const kind = named.find(([word]) => word.test(name))?.[1]
  return kind === undefined ? undefined : { from: kind }
}

/** A text that a tool cannot do without is at least missed where a sentence does not give it. */
function lastRuleFor(name: string, { type }: JsonSchema, isRequired: boolean): InputRule | undefined {
  return isRequired && type === 'string' ? { from: 'word', beside: spoken(name) } : undefined
}

const named: readonly (readonly [RegExp, Kind | 'sentence' | 'title'])[] = [
  [/^(?:address|owner|wallet|account)$/i, 'wallet'],
  [/^(?:contract|token_?address)$/i, 'contract'],
  [/collection/i, 'collection'],
  [/^repo/i, 'repo'],
  [/url$/i, 'url'],
  [/symbol|ticker/i, 'ticker'],
  [/question|goal|query|text|prompt/i, 'sentence'],
  [/name$/i, 'title'],
]

/** `lookbackBlocks` and `max_results` as words. */
function spoken(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

/** A tool that says nothing of itself is found by its own words, and its answer is told by its first plain fields. */
function guessed(entry: CatalogEntry): Knowledge {
  return {
    category: categoryHints.find(([hint]) => hint.test(aboutOf(entry).toLowerCase()))?.[1] ?? 'indexer',
    questions: [firstSentence(entry.description)],
    keywords: [...entry.tags, entry.name],
    summary: (output) => {
      const fields = isRecord(output) ? Object.entries(output) : []
      const plain = fields.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)).slice(0, 6)
      return plain.length === 0
        ? 'The answer is in its data.'
        : `${plain.map(([key, value]) => `${spoken(key)}: ${String(value).slice(0, 120)}`).join('; ')}.`
    },
  }
}

function aboutOf({ name, tags, description }: CatalogEntry): string {
  return `${name} ; ${tags.join(' ')} ; ${firstSentence(description)}`
}

function firstSentence(text: string): string {
  return /^[^.]*/.exec(text)?.[0] ?? ''
}

const categoryHints: readonly (readonly [RegExp, Knowledge['category']])[] = [
  [/\bgas\b|\bfees?\b/, 'gas'],
  [/safety|security|scan/, 'safety'],
  [/nft|collection/, 'nft-market'],
  [/approval|allowance/, 'wallet-risk'],
  [/deployer|launch|whale|due.diligence/, 'token-due-diligence'],
  [/identity|\bens\b|trust|cert/, 'identity'],
  [/narrative|news|odds/, 'narrative'],
  [/influence|social/, 'influence'],
  [/wallet|portfolio|price/, 'portfolio'],
  [/token|staking|burn/, 'tokenomics'],
  [/explorer|contract|abi/, 'block-explorer'],
]
