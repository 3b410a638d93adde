import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsOf from 'ajv-formats'
import { describe, expect, it } from 'vitest'

import { describeConfig as config } from '../../test/harness/describe-config.ts'
import { testSettings } from '../../test/harness/run-tool.ts'
import { loadTool, toolPlaces } from '../../tools/load.ts'
import { createToolList, type ToolList, type SiteTool } from '../tool/tools.ts'
import type { ToolSettings } from '../tool/tool.ts'
import schema from './catalog.schema.json' with { type: 'json' }
import { catalogOf, ecosystemOf } from './catalog.ts'

const loaded = await Promise.allSettled((await toolPlaces()).map(loadTool))
const real = createToolList(loaded.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))

const settings: ToolSettings = {
  ...testSettings,
  toolPass: config.toolPass ?? '',
  registry: config.registry ?? '',
  certificates: `0x${'4'.repeat(40)}`,
  native: { symbol: 'NATIVE', contract: `0x${'5'.repeat(40)}`, vault: `0x${'6'.repeat(40)}`, pools: [] },
}

function siteTool(slug: string, changes: Partial<SiteTool>): SiteTool {
  const [tool] = real.site
  if (tool === undefined) throw new Error('There is no site tool.')
  const { missing: _missing, ...rest } = tool
  return { ...rest, slug, ...changes }
}

/** One tool of each mode, and one that lacks its configuration. */
const sample = createToolList([
  siteTool('pays', { access: { mode: 'paid', usd: '1' } }),
  siteTool('pays-or-shows', { access: { mode: 'paid-or-pass', usd: '0.002' }, preferredMethod: 'GET' }),
  siteTool('pays-or-shows-too', { access: { mode: 'paid-or-pass', usd: '0.25' }, preferredMethod: 'POST' }),
  siteTool('shows', { access: { mode: 'pass' }, methods: ['POST'], preferredMethod: 'POST' }),
  siteTool('in-tiers', { access: { mode: 'tiered', usd: '0.005', freeTierNote: 'Totals are free.' } }),
  siteTool('costs-nothing', { access: { mode: 'free' } }),
  siteTool('lacks', { access: { mode: 'paid', usd: '9' }, missing: () => 'The operator configured no such thing.' }),
])

const generatedAt = new Date('2026-01-02T03:04:05.000Z')
const toolIds = new Map([
  ['shows', 7n],
  ['in-tiers', 12n],
])

function catalogFor(toolList: Pick<ToolList, 'site'>, changes: Partial<Parameters<typeof catalogOf>[1]> = {}) {
  return catalogOf(toolList, { config, settings, toolIds, generatedAt, ...changes })
}

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true })
formatsOf.default(ajv)
const validate = ajv.compile(schema)
const errorsOf = (document: unknown) => {
  validate(JSON.parse(JSON.stringify(document)))
  return validate.errors ?? []
}

describe('the catalog', () => {
  const catalog = catalogFor(sample)
  const entryOf = (slug: string) => {
    const entry = catalog.toolsBySlug[slug]
    if (entry === undefined) throw new Error(`The catalog has no ${slug}.`)
    return entry
  }

  it('is what its schema says, for the real tools, a sample of every mode, a sandbox and a bare server', () => {
    const { toolPass: _pass, registry: _registry, ...bare } = config
    expect(errorsOf(catalog)).toEqual([])
    expect(errorsOf(catalogFor(real))).toEqual([])
    expect(errorsOf(catalogFor(sample, { config: { ...config, sandbox: true } }))).toEqual([])
    expect(errorsOf(catalogFor(sample, { config: bare, settings: testSettings, toolIds: new Map() }))).toEqual([])
    expect(errorsOf(catalogFor(createToolList([])))).toEqual([])
  })

  it('has a schema that notices a missing, a misspelt and a foreign field', () => {
    const { count: _count, ...missing } = catalog
    expect(errorsOf(missing)).not.toEqual([])
    expect(errorsOf({ ...catalog, extra: 1 })).not.toEqual([])
    expect(errorsOf({ ...catalog, summary: { ...catalog.summary, free: -1 } })).not.toEqual([])
    const [tool, ...rest] = catalog.tools
    expect(errorsOf({ ...catalog, tools: [{ ...tool, preferedMethod: 'GET' }, ...rest] })).not.toEqual([])
  })

  it('counts what it lists, and nothing that is not offered', () => {
    expect(catalog.count).toBe(6)
    expect(catalog.summary).toEqual({
      total: 6,
      paid: 1,
      pass: 1,
      paidOrPass: 2,
      tiered: 1,
      free: 1,
      onChain: 2,
      x402Priced: 4,
      passOnly: 1,
      toolPassEligible: 4,
    })
    expect(catalog.stats).toEqual({ ...catalog.summary, priceRange: { min: '0.002', max: '1' } })
    expect(catalog.catalog.stats).toEqual(catalog.stats)
    expect(catalog.unavailable).toEqual([
      { slug: 'lacks', name: sample.bySlug('lacks')?.name, reason: 'The operator configured no such thing.' },
    ])
    expect(catalog.toolsBySlug).not.toHaveProperty('lacks')
  })

  it('finds a tool by its slug and, once it is registered, by its id on chain', () => {
    expect(Object.keys(catalog.toolsBySlug).toSorted()).toEqual(catalog.tools.map(({ slug }) => slug))
    expect(catalog.toolsByOnChainId['12']).toBe(entryOf('in-tiers'))
    expect(Object.keys(catalog.toolsByOnChainId)).toEqual(['7', '12'])
    expect(entryOf('shows').onChain).toEqual({ registry: config.registry, chainId: 8453, toolId: 7 })
    expect(entryOf('pays').onChain.toolId).toBeNull()
  })

  it.each<[string, number, readonly string[], number]>([
    ['costs-nothing', 200, [], 0],
    ['in-tiers', 200, ['x402-payment', 'tool-pass-holder', 'tool-pass-identity'], 1],
    ['pays', 402, ['x402-payment'], 1],
    ['pays-or-shows', 402, ['x402-payment', 'tool-pass-holder', 'tool-pass-identity'], 1],
    ['shows', 402, ['tool-pass-identity', 'tool-pass-holder'], 0],
  ])('tells a stranger what to expect of %s', (slug, status, kinds, prices) => {
    const { firstUse, pricing, access } = entryOf(slug)
    expect(firstUse.unauthenticatedStatus).toBe(status)
    expect(firstUse.challenges.map(({ kind }) => kind)).toEqual(kinds)
    expect(firstUse.challenge).toEqual(firstUse.challenges[0] ?? null)
    expect(pricing).toHaveLength(prices)
    expect(access.x402 === null).toBe(prices === 0)
    expect(access.freeTier?.status ?? 402).toBe(status)
    expect(access.toolPass === null).toBe(!kinds.includes('tool-pass-holder'))
    expect(access.identityProof === null).toBe(!kinds.includes('tool-pass-identity'))
  })

  it('states prices in dollars for people and in atomic units for payments', () => {
    const { pricing, access, firstUse } = entryOf('pays-or-shows')
    expect(pricing).toEqual([{ amount: '0.002', asset: 'USDC', recipient: config.payTo, protocol: 'x402' }])
    expect(access.x402).toMatchObject({ amount: '0.002', maxAmountRequired: '2000', payTo: config.payTo })
    expect(firstUse.challenge).toEqual({
      kind: 'x402-payment',
      network: 'eip155:8453',
      header: 'payment-signature',
      asset: 'USDC',
      amount: '0.002',
      maxAmountRequired: '2000',
      payTo: config.payTo,
      recipient: config.payTo,
      resource: 'https://tools.example.org/api/tools/pays-or-shows?collection=normies&chain=ethereum&limit=2',
      facilitator: config.facilitatorUrl,
    })
  })

  it('says where the input goes', () => {
    expect(entryOf('pays-or-shows').call).toMatchObject({ method: 'GET', inputLocation: 'query' })
    expect(entryOf('pays-or-shows').call).not.toHaveProperty('contentType')
    expect(entryOf('pays-or-shows-too').call).toMatchObject({
      method: 'POST',
      inputLocation: 'json',
      contentType: 'application/json',
      endpoint: 'https://tools.example.org/api/tools/pays-or-shows-too',
    })
  })

  it('explains the first use of everything, under the addresses of this server', () => {
    expect(catalog.firstUse).toMatchObject({
      catalog: 'https://tools.example.org/tools',
      x402EcosystemListing: 'https://tools.example.org/x402-ecosystem.json',
      manifestPattern: 'https://tools.example.org/.well-known/ai-tool/<slug>.json',
      endpointPattern: 'https://tools.example.org/api/tools/<slug>',
      paidCall: {
        method: 'POST',
        network: 'eip155:8453',
        asset: 'USDC',
        facilitator: {
          provider: 'facilitator.example.org',
          url: config.facilitatorUrl,
          verifyPath: '/verify',
          settlePath: '/settle',
        },
      },
      toolPass: { contract: config.toolPass, standard: 'ERC-721', domain: 'tools.example.org' },
      passOnlyCall: { tools: ['shows'], identityProof: { maxAmountRequired: '0', payTo: config.payTo } },
      tieredCall: { tools: ['in-tiers'] },
      lookup: { bySlug: 'toolsBySlug.<slug>', byOnChainToolId: 'toolsByOnChainId.<toolId>' },
      source: { repository: config.repository, commit: null },
    })
  })

  it('does not offer what only a pass opens where there is no pass', () => {
    const { toolPass: _pass, ...withoutPass } = config
    const bare = catalogFor(sample, { config: withoutPass, settings: testSettings })
    expect(bare.toolsBySlug).not.toHaveProperty('shows')
    expect(bare.unavailable.map(({ slug }) => slug)).toEqual(['lacks', 'shows'])
    expect(bare.firstUse.toolPass).toBeNull()
    expect(bare.toolsBySlug['pays-or-shows']?.firstUse.challenges.map(({ kind }) => kind)).toEqual(['x402-payment'])
  })
})

describe('the listing for directories of x402', () => {
  it('has every tool of both families that money opens, at its price', () => {
    const both = createToolList([...real.agentic, ...sample.site])
    const { count, resources } = ecosystemOf(both, { config, settings, toolIds, generatedAt })
    const priced = both.all.filter(({ access, slug }) => 'usd' in access && slug !== 'lacks')
    expect(resources.map(({ slug }) => slug)).toEqual(priced.map(({ slug }) => slug))
    expect(count).toBe(resources.length)
    expect(resources.find(({ slug }) => slug === 'in-tiers')).toMatchObject({
      resource: 'https://tools.example.org/api/tools/in-tiers',
      amount: '5000',
      priceUsd: '0.005',
      access: 'tiered',
    })
    expect(resources.find(({ slug }) => slug === 'base-gas-tracker')).toMatchObject({
      resource: 'https://tools.example.org/api/agentic/tools/base-gas-tracker',
      method: 'POST',
      amount: '10000',
    })
  })
})
