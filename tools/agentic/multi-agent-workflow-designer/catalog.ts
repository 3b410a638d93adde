import type { CatalogEntry } from '../../../src/tool/tool.ts'
import type { Category, Entry, Knowledge } from './entry.ts'
import { ownTools } from './own-tools.ts'
import { publicTools, publicToolsVersion } from './public-tools.ts'

export type Catalog = { readonly version: string; readonly entries: readonly Entry[] }

/** Joins this server's registry with the reviewed public tools. Pass-only tools are left out: no payment opens them. */
export function createCatalog(registry: readonly CatalogEntry[]): Catalog {
  const own = registry.filter(({ mode }) => mode !== 'pass')
  return {
    version: `${publicToolsVersion}+${String(own.length)}`,
    entries: [...own.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)).map(ownEntry), ...publicTools],
  }
}

function ownEntry(tool: CatalogEntry): Entry {
  const priceMicroUsd = microUsd(tool.priceUsd)
  return {
    ...(ownTools[tool.slug] ?? guessedKnowledge(tool)),
    slug: tool.slug,
    url: tool.endpoint,
    protocol: priceMicroUsd === 0n ? 'rest' : 'x402',
    method: 'POST',
    priceMicroUsd,
    latencyMs: Math.min(60_000, Math.max(50, tool.latencySlaMs)),
  }
}

/** A tool newer than the table is found by its own words; its inputs are in its manifest. */
function guessedKnowledge(tool: CatalogEntry): Knowledge & Pick<Entry, 'caveat'> {
  const words = [...tool.tags, tool.name, tool.slug].join(' ').toLowerCase()
  return {
    category: categoryHints.find(([hint]) => hint.test(words))?.[1] ?? 'indexer',
    keywords: [...tool.tags, tool.name, firstSentence(tool.description)],
    input: {},
    provides: {},
    caveat: 'Its inputs are in its manifest.',
  }
}

const categoryHints: readonly (readonly [RegExp, Category])[] = [
  [/\bgas\b|\bfees?\b/, 'gas'],
  [/safety|security|scan/, 'safety'],
  [/nft|collection/, 'nft-market'],
  [/approval|allowance/, 'wallet-risk'],
  [/deployer|launch|whale|due.diligence/, 'token-due-diligence'],
  [/identity|ens|trust|cert/, 'identity'],
  [/narrative|news|odds/, 'narrative'],
  [/influence|social/, 'influence'],
  [/wallet|portfolio|price/, 'portfolio'],
  [/token|staking|burn/, 'tokenomics'],
  [/explorer|contract|abi/, 'block-explorer'],
]

function firstSentence(text: string): string {
  return /^[^.]*/.exec(text)?.[0] ?? ''
}

/** Micro-dollars of a decimal string with at most six decimals. */
export function microUsd(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}
