import { honestDescriptions, honestManifests, openPowers } from '../../tools/agentic/mcp-security-scanner/honest.ts'
import { textRules } from '../../tools/agentic/mcp-security-scanner/rules/all.ts'
import { runNet, runWords } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import type { Judges, Thresholds, WitnessModel } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import { fit, partOf } from './fit.ts'
import { madeTexts } from './grammar.ts'
import { foldsOf } from './records.ts'
import type { Item, Read } from './records.ts'

/** Share of honest servers, unseen by the witness, that it may call each of these by itself. */
const allowed = { weak: 0.14, medium: 0.05, high: 0.012, alone: 0.04 } as const
const toll = 0.25
const madeCount = 7_500
const folds = 5

/** What the witness says of an item at most, less the toll. */
export type Said = { readonly score: number; readonly words: number; readonly net: number }

export type Validated = {
  readonly thresholds: Thresholds
  /** What was said of each item, by its id, by a witness that had not seen it nor anything of its hand. */
  readonly said: ReadonlyMap<string, Said>
  /** A witness that has not seen the item. */
  readonly unseenBy: (item: Item) => WitnessModel | undefined
}

/** What this project wrote itself: the grammar's texts, and the examples of the rules and tests. It is learned from every time. */
export function ownItems(): readonly Item[] {
  const examples = textRules.flatMap(({ hits, misses, isPurpose }) => [
    ...(isPurpose === true ? [] : hits.map((text) => ({ text, isAttack: true }))),
    ...misses.map((text) => ({ text, isAttack: false })),
  ])
  const fields = 'sidenote context notes metadata extra feedback summary debug_info trace payload comment hint'
  const properties = Object.fromEntries(fields.split(' ').map((name) => [name, { type: 'string' }]))
  const described = honestDescriptions.map((description): readonly [string, unknown] => [
    description,
    { tools: [{ name: 'add', description }, { name: 'list_items' }] },
  ])
  return [
    ...[...described, ...honestManifests, ...openPowers].map(([name, manifest]) => ({
      id: `honest:${name}`,
      isAttack: false,
      group: 'own',
      isServer: false,
      manifest,
      weight: 8,
    })),
    ...examples.map(({ text, isAttack }, index) =>
      itemOf(`example:${index}`, isAttack, { name: 'tool', description: text }),
    ),
    ...madeTexts(madeCount).map(({ text, isAttack }, index) =>
      itemOf(`made:${index}`, isAttack, {
        name: 'own_tool',
        description: text,
        inputSchema: { type: 'object', properties: index % 2 === 0 ? properties : {} },
      }),
    ),
  ]
}

function itemOf(id: string, isAttack: boolean, tool: unknown): Item {
  return { id, isAttack, group: 'own', isServer: false, manifest: { tools: [tool] } }
}

/** Learns five times without a fifth of the servers and of the hands, and judges that fifth each time. */
export function validated(items: readonly Read[]): Validated {
  const foldOf = foldsOf(items, folds, partOf)
  const judges = Array.from({ length: folds }, (_, fold) => {
    const learned = fit(items.filter((item) => foldOf(item) !== fold))
    console.error(`part ${fold + 1} of ${folds} is judged by what was learned from the others`)
    return learned
  })
  const said = new Map<string, Said>()
  for (const item of items) {
    const unseen = judges[foldOf(item)]
    if (unseen !== undefined) said.set(item.id, saidOf(item, unseen))
  }
  const thresholds = thresholdsFrom(items.filter(({ isServer }) => isServer).flatMap(({ id }) => said.get(id) ?? []))
  return {
    thresholds,
    said,
    unseenBy: (item) => {
      const unseen = judges[foldOf(item)]
      return unseen === undefined ? undefined : { ...unseen, thresholds }
    },
  }
}

function saidOf({ windows, total }: Read, { words, net }: Judges): Said {
  const taken = toll * Math.log(Math.max(1, total))
  let most: Said = { score: -99, words: -99, net: -99 }
  for (const window of windows) {
    const [byWords, byNet] = [runWords(words, window.keys), runNet(net, window.numbers)]
    most = {
      score: Math.max(most.score, byWords + byNet - taken),
      words: Math.max(most.words, byWords - taken),
      net: Math.max(most.net, byNet - taken),
    }
  }
  return most
}

function thresholdsFrom(servers: readonly Said[]): Thresholds {
  const above = (share: number, kind: keyof Said): number => {
    const values = servers.map((said) => said[kind]).toSorted((a, b) => b - a)
    return Number((values[Math.floor(share * values.length)] ?? 0).toFixed(3))
  }
  return {
    weak: above(allowed.weak, 'score'),
    medium: above(allowed.medium, 'score'),
    high: above(allowed.high, 'score'),
    wordsAlone: above(allowed.alone, 'words'),
    netAlone: above(allowed.alone, 'net'),
    toll,
  }
}
