import { isRecord } from '../src/platform/record.ts'

/**
 * The tables of the interface specification for the pay-per-call tools, as data: section 4 field by field, and the
 * prices, versions, latency targets, freshness and re-invoke hints of sections 5 and 8. A name that ends in `?` is
 * not required. Tests compare what the tools publish with these.
 */
export type Shape =
  | { readonly type: 'string'; readonly [constraint: string]: unknown }
  | { readonly type: 'number' | 'integer' | 'boolean'; readonly [constraint: string]: unknown }
  | { readonly type: 'array'; readonly items: Shape; readonly [constraint: string]: unknown }
  | { readonly type: 'object'; readonly fields?: Readonly<Record<string, Shape>> }
  | { readonly type: 'nullable'; readonly of: Shape }

export type SpecRow = {
  readonly slug: string
  readonly priceUsd: number
  readonly atomic: string
  readonly version: string
  readonly latencySlaMs: number
  readonly freshness: { readonly mode: string; readonly ttlSeconds?: number }
  readonly recurringSeconds: number | null
  readonly input: Shape
  readonly output: Shape
}

const str = (constraints: object = {}): Shape => ({ ...constraints, type: 'string' })
const len = (minLength: number, maxLength: number): Shape => str({ minLength, maxLength })
const oneOf = (...options: readonly string[]): Shape => str({ enum: options })
const int = (minimum?: number, maximum?: number, more: object = {}): Shape => ({
  type: 'integer',
  ...bounds(minimum, maximum),
  ...more,
})
const num = (minimum?: number, maximum?: number): Shape => ({ type: 'number', ...bounds(minimum, maximum) })
const list = (items: Shape, minItems?: number, maxItems?: number): Shape => ({
  type: 'array',
  items,
  ...(minItems === undefined ? {} : { minItems }),
  ...(maxItems === undefined ? {} : { maxItems }),
})
const obj = (fields: Readonly<Record<string, Shape>>): Shape => ({ type: 'object', fields })
const orNull = (of: Shape): Shape => ({ type: 'nullable', of })
const bool: Shape = { type: 'boolean' }
const uri = str({ format: 'uri' })
const dateTime = str({ format: 'date-time' })
const anyObject: Shape = { type: 'object' }

function bounds(minimum?: number, maximum?: number): object {
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) }
}

const level = oneOf('low', 'medium', 'high')
const symbol = str({ pattern: '^[A-Z][A-Z0-9]{1,9}$' })
const tokenPattern = oneOf('fair-launch-axiom-style', 'staking-loop', 'minimal-erc20')
const protocol = oneOf('x402', 'mcp', 'a2a', 'rest')
const planFormat = oneOf('a2a-json-rpc', 'shell-curl')
const stepId = str({ pattern: '^s[0-9]+$' })
const severity = oneOf('critical', 'high', 'medium', 'low', 'info')

export const specRows: readonly SpecRow[] = [
  {
    slug: 'agent-revenue-optimizer',
    priceUsd: 0.1,
    atomic: '100000',
    version: '0.1.0',
    latencySlaMs: 8000,
    freshness: { mode: 'live' },
    recurringSeconds: 2592000,
    input: obj({
      endpoint_url: str({ format: 'uri', minLength: 8, maxLength: 2048 }),
      'assumed_monthly_paid_calls?': int(0, 1000000, { default: 1000 }),
    }),
    output: obj({
      endpoint_url: uri,
      probed_at: dateTime,
      verdict: oneOf('healthy', 'leaking-revenue', 'discoverability-blocked', 'mispriced', 'broken-envelope'),
      current_state: obj({
        http_status_unauth: int(),
        x402_version: int(),
        accepts_count: int(),
        price_usd: orNull(str()),
        network: orNull(str()),
        asset: orNull(str()),
        pay_to: orNull(str()),
        facilitator_url: orNull(str()),
        max_timeout_seconds: orNull(int()),
        bazaar_discoverable: orNull(bool),
        agent_card_present: bool,
        rate_limit_headers_present: bool,
      }),
      recommendations: list(
        obj({
          lever: oneOf(
            'pricing',
            'bundling',
            'discoverability',
            'envelope-fix',
            'rate-limit',
            'tier-add',
            'facilitator-switch',
            'schema-clarity',
          ),
          confidence: level,
          impact_usd_per_month: num(0),
          evidence: len(1, 512),
          action: len(1, 240),
        }),
        1,
        7,
      ),
      expected_lift_usd_per_month: num(0),
      evidence: obj({ endpoint_probed: uri, agent_card_probed: uri, envelope_sha256: len(64, 64) }),
      'next_check_at?': dateTime,
    }),
  },
  {
    slug: 'agent-token-strategy',
    priceUsd: 0.15,
    atomic: '150000',
    version: '0.1.0',
    latencySlaMs: 1500,
    freshness: { mode: 'static' },
    recurringSeconds: 7776000,
    input: obj({
      agent_name: len(1, 64),
      symbol,
      pattern: tokenPattern,
      'total_supply?': int(1000, 1000000000000),
      'include_nft?': bool,
    }),
    output: obj({
      agent_name: len(1, 64),
      symbol,
      pattern: tokenPattern,
      total_supply: int(1000),
      decimals: int(0, 18),
      allocations: list(
        obj({
          bucket: oneOf(
            'fair-launch-liquidity',
            'staker-rewards',
            'agent-treasury',
            'community-airdrop',
            'ecosystem-grants',
            'lp-incentives',
            'operator-multisig',
          ),
          percent: num(0, 100),
          vesting: oneOf('none', 'linear-12mo', 'linear-24mo', 'cliff-6mo-linear-18mo'),
          rationale: len(8, 240),
        }),
        1,
        12,
      ),
      contracts_to_deploy: list(
        obj({
          name: len(1, 64),
          standard: oneOf('ERC20', 'ERC4626', 'ERC721', 'ERC20Votes'),
          openzeppelin_template: oneOf(
            'ERC20',
            'ERC20Burnable',
            'ERC20Permit',
            'ERC20Votes',
            'ERC4626',
            'ERC721',
            'ERC721Enumerable',
            'Ownable',
          ),
          purpose: len(8, 240),
        }),
        1,
        4,
      ),
      fair_launch_defaults: obj({
        dex: oneOf('uniswap-v3-base', 'aerodrome-base'),
        pair_asset: oneOf('WETH', 'USDC'),
        initial_lp_percent_of_supply: num(0, 100),
        lp_lock_months: int(0, 120),
        anti_sniper_block_delay: int(0, 50),
        renounce_ownership: bool,
      }),
      non_security_checklist: list(
        obj({
          criterion: oneOf(
            'no-investment-contract',
            'no-common-enterprise',
            'no-profit-expectation-from-others',
            'utility-on-deploy',
            'no-revenue-share-promise',
            'no-pre-sale-or-private-allocation',
          ),
          status: oneOf('pass', 'warn', 'fail'),
          note: len(8, 240),
        }),
        6,
        6,
      ),
      estimated_deploy_cost_usd: num(0, 10000),
      deploy_cost_assumptions: obj({
        base_gas_gwei: num(0),
        estimated_gas_units: int(0),
        eth_usd_assumption: num(0),
      }),
      risks: list(
        obj({
          risk: oneOf(
            'sybil-airdrop-farming',
            'lp-rug-by-deployer',
            'deployer-key-compromise',
            'front-running-on-launch',
            'regulatory-reclassification',
            'oracle-manipulation',
          ),
          severity: oneOf('low', 'medium', 'high', 'critical'),
          mitigation: len(8, 240),
        }),
        3,
        8,
      ),
      evidence: obj({
        template_id: tokenPattern,
        openzeppelin_docs_url: uri,
        base_chain_docs_url: uri,
        reference_deployment: len(4, 128),
      }),
      // Ours: the interface names no vesting, governor or lock among the contracts, and the plan must name all.
      'launch_plan?': anyObject,
      generated_at: dateTime,
      'next_check_at?': dateTime,
    }),
  },
  {
    slug: 'base-builder-grant-finder',
    priceUsd: 0.05,
    atomic: '50000',
    version: '0.1.0',
    latencySlaMs: 1500,
    freshness: { mode: 'cached', ttlSeconds: 604800 },
    recurringSeconds: 604800,
    input: obj({
      category: oneOf('defi', 'infra', 'ai-agent', 'consumer', 'nft', 'tooling', 'social', 'any'),
      'stage?': str({ enum: ['idea', 'prototype', 'mainnet', 'scaling', 'any'], default: 'any' }),
      'has_live_base_contract?': { type: 'boolean', default: false },
      'max_results?': int(1, 25, { default: 10 }),
    }),
    output: obj({
      query: obj({ category: str(), stage: str(), has_live_base_contract: bool, max_results: int() }),
      results: list(
        obj({
          program_name: str({ minLength: 1 }),
          type: oneOf('grant', 'accelerator', 'hackathon', 'retro-funding', 'quest', 'bounty'),
          source_url: uri,
          deadline: str({ format: 'date' }),
          // Ours: the interface demands a date and has no word for a program that has none.
          'deadline_kind?': str(),
          funding_range_usd: obj({ min: num(0), max: num(0) }),
          eligibility: str(),
          last_verified_at: dateTime,
          match_score: int(0, 100),
          match_reasons: list(str(), undefined, 8),
          days_until_deadline: int(),
        }),
        undefined,
        25,
      ),
      stale_warnings: list(obj({ program_name: str(), last_verified_at: dateTime, days_stale: int(0) })),
      total_open_programs: int(0),
      evaluated_at: dateTime,
      evidence: obj({ dataset_version: str(), dataset_verified_at: dateTime, source_count: int(1) }),
      'next_check_at?': dateTime,
    }),
  },
  {
    slug: 'base-gas-tracker',
    priceUsd: 0.01,
    atomic: '10000',
    version: '1.0.0',
    latencySlaMs: 5000,
    freshness: { mode: 'live' },
    recurringSeconds: null,
    input: obj({ 'blocks?': int(1, 20, { default: 10 }) }),
    output: obj({
      gas_price_gwei: num(),
      base_fee_gwei: num(),
      priority_fee_gwei: num(),
      block_history: list(obj({ block: int(), base_fee_gwei: num(), gas_used_ratio: num() })),
      trend: oneOf('rising', 'falling', 'stable'),
      fetched_at: str(),
      'max_fee_suggestion_gwei?': num(),
    }),
  },
  {
    slug: 'mcp-security-scanner',
    priceUsd: 0.05,
    atomic: '50000',
    version: '1.0.0',
    latencySlaMs: 15000,
    freshness: { mode: 'live' },
    recurringSeconds: null,
    // Exactly one of the two manifests: a rule across fields, which the tool's own tests cover.
    input: obj({
      'manifestUrl?': uri,
      'manifestJson?': anyObject,
      // The end is ours: each of a hundred thousand unknown names would be a sentence of the refusal.
      'checks?': list(
        oneOf(
          'prompt-injection',
          'exfiltration',
          'resource-access',
          'privilege-escalation',
          'schema-validation',
          'transport-security',
          'scope-permissions',
        ),
        undefined,
        32,
      ),
    }),
    output: obj({
      serverName: str(),
      scanTimestamp: dateTime,
      toolCount: int(),
      findings: list(
        obj({
          severity,
          category: str(),
          title: str(),
          description: str(),
          'tool?': str(),
          'remediation?': str(),
        }),
      ),
      summary: obj({
        critical: int(),
        high: int(),
        medium: int(),
        low: int(),
        info: int(),
        overallRisk: oneOf('critical', 'high', 'medium', 'low', 'clean'),
      }),
    }),
  },
  {
    slug: 'multi-agent-workflow-designer',
    priceUsd: 0.1,
    atomic: '100000',
    version: '0.1.0',
    latencySlaMs: 1500,
    freshness: { mode: 'static' },
    recurringSeconds: 1209600,
    input: obj({
      goal: len(8, 512),
      'budget_usd?': num(0, 1000),
      'max_steps?': int(1, 12),
      'output_format?': str({ enum: ['a2a-json-rpc', 'shell-curl'], default: 'a2a-json-rpc' }),
      'preferred_protocols?': list(protocol, undefined, 4),
    }),
    output: obj({
      goal: str({ minLength: 1 }),
      steps: list(
        obj({
          step_id: stepId,
          tool_slug: str(),
          tool_url: uri,
          protocol,
          category: oneOf(
            'gas',
            'safety',
            'nft-market',
            'wallet-risk',
            'token-due-diligence',
            'identity',
            'narrative',
            'influence',
            'portfolio',
            'tokenomics',
            'indexer',
            'block-explorer',
          ),
          inputs: anyObject,
          depends_on: list(stepId, undefined, 11),
          cost_usd: num(0, 1000),
          latency_ms: int(50, 60000),
          rationale: len(4, 240),
        }),
        1,
        12,
      ),
      total_cost_usd: num(0, 1000),
      total_latency_ms_estimate: int(50, 600000),
      fallbacks: list(
        obj({ for_step: stepId, tool_slug: str(), tool_url: uri, protocol, reason: len(4, 200) }),
        undefined,
        12,
      ),
      executable_plan: obj({ format: planFormat, payload: len(1, 20000) }),
      output_format: planFormat,
      budget_status: oneOf('under_budget', 'no_budget_specified', 'pruned_to_budget', 'over_budget_unprunable'),
      evidence: obj({
        catalog_version: str(),
        catalog_entries_considered: int(1),
        matched_keywords: list(len(1, 48), undefined, 32),
      }),
      generated_at: dateTime,
      'next_check_at?': dateTime,
    }),
  },
  {
    slug: 'polymarket-odds',
    priceUsd: 0.01,
    atomic: '10000',
    version: '1.0.0',
    latencySlaMs: 8000,
    freshness: { mode: 'live' },
    recurringSeconds: null,
    input: obj({ question: len(1, 200) }),
    output: obj({
      question: str(),
      outcomes: list(obj({ name: str(), probability: num(), price: num() })),
      volume_usd: num(),
      liquidity_usd: num(),
      end_date: orNull(str()),
      resolved: bool,
      fetched_at: str(),
      'slug?': str(),
      'resolution_value?': orNull(str()),
      'market_url?': str(),
    }),
  },
  {
    slug: 'repo-health-for-agents',
    priceUsd: 0,
    atomic: '0',
    version: '2.0.0',
    latencySlaMs: 15000,
    freshness: { mode: 'live' },
    recurringSeconds: null,
    input: obj({ repo: str({ pattern: '^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$', minLength: 3, maxLength: 140 }) }),
    output: obj({
      repo: str(),
      default_branch: str(),
      overall_score: int(0, 100),
      grade: oneOf('A+', 'A', 'B+', 'B', 'C', 'D', 'F'),
      category_scores: obj({
        activity: num(),
        community: num(),
        maintenance: num(),
        contributors: num(),
        security: num(),
        ci_cd: num(),
        documentation: num(),
        popularity: num(),
      }),
      checks: list(obj({ id: str(), category: str(), passed: bool, score: int(), max_score: int(), evidence: str() })),
      recommendations: list(
        obj({ check_id: str(), category: str(), potential_lift: int(), action: str(), current: str() }),
      ),
      metadata: obj({
        stars: int(),
        forks: int(),
        open_issues: int(),
        language: orNull(str()),
        created: str(),
        last_push: str(),
        age_days: int(),
        license: orNull(str()),
        archived: bool,
        contributors: int(),
        bus_factor: int(),
      }),
      evaluated_at: dateTime,
      'scorecard_detail?': orNull(list(obj({ name: str(), score: int(), reason: str() }))),
    }),
  },
  {
    slug: 'wallet-portfolio',
    priceUsd: 0.01,
    atomic: '10000',
    version: '1.0.0',
    latencySlaMs: 8000,
    freshness: { mode: 'live' },
    recurringSeconds: null,
    input: obj({ address: str({ pattern: '^0x[0-9a-fA-F]{40}$' }) }),
    output: obj({
      address: str(),
      total_usd: num(),
      tokens: list(
        obj({
          symbol: str(),
          name: str(),
          contract: orNull(str()),
          balance: num(),
          balance_raw: str(),
          price_usd: orNull(num()),
          value_usd: orNull(num()),
          decimals: int(),
        }),
      ),
      fetched_at: str(),
    }),
  },
]

/** Which side of a tool a schema stands on: callers must not meet rules the specification does not have. */
export type Side = 'input' | 'output'

const annotations = new Set(['description', 'title', 'examples', 'format', 'additionalProperties'])

/**
 * Every way a published schema departs from the specification's shape, each in a line that names the field. An
 * answer may promise more than the specification (a bound, a format); a question may not ask for more.
 */
export function departures(shape: Shape, schema: unknown, side: Side, at = '/'): readonly string[] {
  if (!isRecord(schema)) return [`${at} is missing`]
  if (shape.type === 'nullable') {
    const branches: readonly unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : []
    const isNull = (branch: unknown) => isRecord(branch) && branch['type'] === 'null'
    if (branches.length !== 2 || !branches.some(isNull)) return [`${at} must allow null`]
    return departures(
      shape.of,
      branches.find((branch) => !isNull(branch)),
      side,
      at,
    )
  }
  if (schema['type'] !== shape.type) return [`${at} has type ${JSON.stringify(schema['type'])}, not ${shape.type}`]
  if (shape.type === 'object') {
    return 'fields' in shape && shape.fields !== undefined ? fieldDepartures(shape.fields, schema, side, at) : []
  }

  const wrong = Object.entries(shape)
    .filter(([key, value]) => key !== 'type' && key !== 'items' && !same(key, schema[key], value))
    .map(([key, value]) => `${at} has ${key} ${JSON.stringify(schema[key])}, not ${JSON.stringify(value)}`)
  const extra =
    side === 'output'
      ? []
      : Object.keys(schema)
          .filter((key) => !(key in shape) && !annotations.has(key))
          .map((key) => `${at} adds ${key} ${JSON.stringify(schema[key])}`)
  const inner = shape.type === 'array' ? departures(shape.items, schema['items'], side, `${at}*/`) : []
  return [...wrong, ...extra, ...inner]
}

function fieldDepartures(
  fields: Readonly<Record<string, Shape>>,
  schema: Readonly<Record<string, unknown>>,
  side: Side,
  at: string,
): readonly string[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const named = Object.entries(fields).map(([key, shape]) => {
    const name = key.replace('?', '')
    return { name, shape, isRequired: name === key }
  })
  const known = new Set(named.map(({ name }) => name))
  return [
    ...(schema['additionalProperties'] === false ? [] : [`${at} must set additionalProperties to false`]),
    ...Object.keys(properties)
      .filter((name) => !known.has(name))
      .map((name) => `${at}${name} is not in the specification`),
    ...named
      .filter(({ name, isRequired }) => required.has(name) !== isRequired)
      .map(({ name, isRequired }) => `${at}${name} must ${isRequired ? '' : 'not '}be required`),
    ...named.flatMap(({ name, shape }) => departures(shape, properties[name], side, `${at}${name}/`)),
  ]
}

function same(key: string, published: unknown, specified: unknown): boolean {
  if (key !== 'enum' || !Array.isArray(published) || !Array.isArray(specified)) return published === specified
  return published.length === specified.length && specified.every((option) => published.includes(option))
}
