import { describe, expect, it } from 'vitest'

import { hasRecorded, readRecorded } from '../../../test/harness/recorded.ts'
import { loadTool, toolPlaces } from '../../load.ts'
import { createCatalog, microUsd } from './catalog.ts'
import { categories, requiredSlots } from './entry.ts'
import type { Json, Slot } from './entry.ts'
import { ownTools } from './own-tools.ts'
import { publicTools } from './public-tools.ts'
import { fixture } from '../../../test/harness/workflow-plans.ts'

const places = (await toolPlaces()).filter(({ slug }) => Object.hasOwn(ownTools, slug))

const samples: Readonly<Record<Slot, Json>> = {
  address: '0x1111111111111111111111111111111111111111',
  agent_name: 'Lumen',
  coin_id: 'bitcoin',
  collection: 'azuki',
  goal: 'check the gas price',
  name_or_address: 'vitalik.eth',
  query: 'founders',
  question: 'Will it rain?',
  repo: 'vercel/next.js',
  symbol: 'LUM',
  url: 'https://example.org/mcp.json',
  usd_amount: 500,
}

describe.each(places)('what the planner knows of $slug', (place) => {
  it('makes inputs that the tool accepts', async () => {
    const tool = await loadTool(place)
    const template = JSON.stringify(ownTools[place.slug]?.input)
    const filled = template.replaceAll(/"\{\{(\w+)\??\}\}"/g, (_, slot: Slot) => JSON.stringify(samples[slot]))
    expect(tool.input.safeParse(JSON.parse(filled))).toMatchObject({ success: true })
  })
})

describe('the public tools', () => {
  it.each(publicTools)('$slug has an https address, a source, and a latency and price within bounds', (entry) => {
    expect(new URL(entry.url.replaceAll(/\{\{\w+\}\}/g, 'x')).protocol).toBe('https:')
    expect(entry.source).toMatch(/^https:\/\//)
    expect(entry.latencyMs).toBeGreaterThanOrEqual(50)
    expect(entry.latencyMs).toBeLessThanOrEqual(60_000)
    expect(entry.priceMicroUsd > 0n).toBe(entry.protocol === 'x402')
    expect(entry.mcpTool === undefined).toBe(entry.protocol !== 'mcp')
    expect(categories).toContain(entry.category)
  })

  type Row = {
    tool_slug: string
    tool_url: string
    protocol: string
    category: string
    method: string
    price_usd: number
    latency_ms: number
  }
  it.skipIf(!hasRecorded())('state what was compiled (skipped where the recordings are absent)', () => {
    const { entries } = readRecorded('workflow/catalog.json') as { readonly entries: readonly Row[] }
    for (const entry of publicTools) {
      const row = entries.find(({ tool_slug }) => tool_slug === entry.slug)
      expect(row).toMatchObject({
        protocol: entry.protocol,
        category: entry.category,
        method: entry.method,
        price_usd: Number(entry.priceMicroUsd) / 1e6,
        latency_ms: entry.latencyMs,
        // The compiled row of this one gives its documentation page; a plan needs the endpoint that page names.
        ...(entry.slug === 'coinmarketcap-x402' ? {} : { tool_url: entry.url }),
      })
    }
  })
})

describe('the catalog', () => {
  it('holds our tools only as far as they are registered, and no tool that only a pass opens', () => {
    const slugs = createCatalog(fixture.catalog.slice(0, 2)).entries.map(({ slug }) => slug)
    expect(slugs).toEqual([
      ...fixture.catalog.slice(0, 2).map(({ slug }) => slug),
      ...publicTools.map(({ slug }) => slug),
    ])
    expect(createCatalog(fixture.catalog).entries.map(({ slug }) => slug)).not.toContain('ask')
  })

  it('finds a place for a tool that nobody has described yet', () => {
    const [entry] = createCatalog([
      {
        slug: 'nft-rarity',
        family: 'site',
        name: 'NFT Rarity',
        description: 'Rank the traits of a collection. Not for prices.',
        tags: ['nft', 'rarity'],
        mode: 'paid',
        priceUsd: '0.01',
        endpoint: 'https://tools.example.org/api/tools/nft-rarity',
        latencySlaMs: 90_000,
      },
    ]).entries
    expect(entry).toMatchObject({ category: 'nft-market', protocol: 'x402', priceMicroUsd: 10_000n, latencyMs: 60_000 })
    expect(entry?.keywords).toContain('Rank the traits of a collection')
  })

  it('is the same whatever order the registry is in', () => {
    expect(createCatalog(fixture.catalog.toReversed())).toEqual(createCatalog(fixture.catalog))
  })

  it('never asks for a slot that a sample cannot fill', () => {
    for (const entry of createCatalog(fixture.catalog).entries) {
      for (const slot of requiredSlots(entry)) expect(samples[slot]).toBeDefined()
    }
  })
})

it.each([
  ['0.10', 100_000n],
  ['0', 0n],
  ['12', 12_000_000n],
  ['0.0000019', 1n],
])('reads $%s as %s micro-dollars', (text, micro) => {
  expect(microUsd(text)).toBe(micro)
})
