import type { Entities } from './entities.ts'
import { listAt, numberAt, sentenceOf, valueAt } from './sentence.ts'

/** A question as the routes see it. */
export type Asked = { readonly question: string; readonly entities: Entities }

/** What a tool must be told by the question, in the words that ask for it. */
export type Need = 'address' | 'collection' | 'repo' | 'url' | 'symbol' | 'name or address'

export type Route = {
  readonly slug: string
  /** The ways people ask for it. */
  readonly asks: readonly string[]
  /** Words that mean this tool even in a question that names nothing it can look at; all others could be about anything. */
  readonly telling: string
  readonly needs?: Need
  /** What else it can be told. */
  readonly takes?: readonly Need[]
  /** @param address the first address, or the one that the first name leads to. */
  readonly input: (asked: Asked, address: string | undefined) => unknown
  /** A sentence or two from its answer. */
  readonly answer: (output: unknown, asked: Asked) => string
}

const fill =
  (template: string) =>
  (output: unknown): string =>
    sentenceOf(template, output)

/** One entry per tool that a question in words can be answered by. */
export const routes: readonly Route[] = [
  {
    slug: 'base-gas-tracker',
    telling: 'gas gwei fee transaction',
    asks: [
      'gas price now',
      'gwei base fee max fee priority tip',
      'fees rising falling trend',
      'cheap moment to send a transaction',
      'transaction cost gas fee',
    ],
    input: () => ({}),
    answer: fill(
      'Gas on Base is {gas_price_gwei} gwei now: base fee {base_fee_gwei}, tip {priority_fee_gwei}, and the trend is {trend}. A safe max fee is {max_fee_suggestion_gwei} gwei.',
    ),
  },
  {
    slug: 'wallet-portfolio',
    telling: 'wallet portfolio balance',
    asks: [
      'wallet balance portfolio holdings',
      'how much does it hold own have worth value',
      'rich afford spend money',
      'usdc eth weth tokens held in wallet',
    ],
    needs: 'address',
    input: (_asked, address) => ({ address }),
    answer: (output) => {
      const held = listAt(output, 'tokens').filter((token) => numberAt(token, 'balance') > 0)
      const parts = held.map((token) => sentenceOf('{balance} {symbol}', token))
      return `${sentenceOf('{address} holds ${total_usd} on Base in the tokens that are looked at', output)}${
        parts.length === 0 ? '; all of them are zero.' : `: ${parts.join(', ')}.`
      }`
    },
  },
  {
    slug: 'ens-resolver',
    telling: 'ens basename',
    asks: [
      'ens name of address',
      'resolve name to address',
      'which address does the name point to',
      'who is this address',
      'avatar of name look up',
      'basename',
    ],
    needs: 'name or address',
    input: ({ entities }) => ({ items: [...entities.names, ...entities.addresses].slice(0, 20) }),
    answer: (output) =>
      listAt(output, 'results')
        .slice(0, 5)
        .map((row) =>
          valueAt(row, 'resolved') === true
            ? sentenceOf('{name} is {address}[, with the avatar {avatar}].', row)
            : sentenceOf('{input} could not be resolved: {error}.', row),
        )
        .join(' '),
  },
  {
    slug: 'agent-cert-check',
    telling: 'certified certificate certification',
    asks: ['certified agent certificate', 'certificate revoked expired valid', 'certification of agent'],
    needs: 'address',
    input: (_asked, address) => ({ address }),
    answer: (output) =>
      sentenceOf(
        valueAt(output, 'isCertified') === true
          ? '{address} is certified. {note}'
          : '{address} holds no certificate that counts. {note}',
        output,
      ),
  },
  {
    slug: 'agent-trust-score',
    telling: 'trustworthy reputation trust',
    asks: [
      'trust agent trustworthy',
      'trust score reputation reliable',
      'can i trust before i pay work with agent',
      'nobody or established agent',
    ],
    needs: 'address',
    input: (_asked, address) => ({ address }),
    answer: (output) => {
      const points = (signal: unknown): number => Number(/^\+(\d+) /.exec(String(signal))?.[1] ?? 0)
      const [best] = listAt(output, 'signals').toSorted((a, b) => points(b) - points(a))
      return `${sentenceOf('{address} scores {score} of 100 ({tier}).', output)}${
        points(best) === 0 ? '' : sentenceOf(' Most telling: {it}.', { it: String(best).replace(/\.$/, '') })
      }`
    },
  },
  {
    slug: 'agent-binding-scout',
    telling: 'binding bound nfts',
    asks: [
      'nfts bound to an agent',
      'agent binding of collection',
      'agents behind nft collection',
      'find agent bindings erc-8217',
    ],
    needs: 'collection',
    input: ({ question, entities }) => ({
      collection: entities.collections[0],
      ...(/\bon base\b/i.test(question) ? { chain: 'base' } : {}),
    }),
    answer: (output) => {
      const rows = listAt(output, 'bindings').slice(0, 5)
      const parts = rows.map((row) =>
        sentenceOf('#{nft.identifier}[ is agent {binding.agent_id} on {binding.agent.chain}]', row),
      )
      return `${sentenceOf('{bindingsFound} items of {collection} were found that are bound to an agent', output)}${
        parts.length === 0 ? '.' : `: ${parts.join(', ')}.`
      }`
    },
  },
  {
    slug: 'agent-directory',
    telling: 'registered registry directory manifests',
    asks: [
      'tools registered on chain registry',
      'erc-8257 tool registry list of tools',
      'which tools does it offer',
      'check manifests of registered tools',
      'how many tools in directory',
    ],
    takes: ['address', 'url'],
    input: ({ question, entities }, address) => ({
      limit: 10,
      ...(address === undefined ? {} : { owner: address }),
      ...(entities.urls[0] === undefined ? {} : { origin: entities.urls[0] }),
      ...(/manifest|verif/i.test(question) ? { includeManifest: true } : {}),
    }),
    answer: (output) => {
      const slugs = listAt(output, 'tools').map((row) => sentenceOf('{slug}', row))
      const checked = listAt(output, 'tools').filter((row) => valueAt(row, 'verification') !== undefined)
      const good = checked.filter((row) => valueAt(row, 'verification.verified') === true)
      return [
        sentenceOf('{totalMatched} of {totalRegistered} registered tools match', output),
        slugs.length === 0 ? '.' : `; the first are ${slugs.slice(0, 6).join(', ')}.`,
        checked.length === 0 ? '' : ` ${good.length} of ${checked.length} manifests are the ones that were registered.`,
      ].join('')
    },
  },
  {
    slug: 'native-burn-stats',
    telling: 'burn burned deflationary',
    asks: [
      'how much token burned burn stats',
      'percent of supply burned',
      'deflationary dead address burned tokens',
      'burn transactions',
    ],
    input: () => ({}),
    answer: fill(
      '{burnStats.totalBurned} tokens are burned, {burnStats.percentBurned} percent of a supply of {burnStats.totalSupply}.',
    ),
  },
  {
    slug: 'native-stakers-leaderboard',
    telling: 'stakers staking staked vault',
    asks: ['largest stakers', 'top stakers staking vault', 'vault share price worth', 'who staked most percent'],
    input: ({ entities }) => ({ limit: within(entities.counts[0] ?? 5, 1, 50) }),
    answer: (output) => {
      const rows = listAt(output, 'leaderboard').slice(0, 3)
      const parts = rows.map((row) => sentenceOf('{address} ({percentOfTotal} percent)', row))
      return `${sentenceOf('{totalStakers} stakers hold {totalSupply} shares, each worth {pricePerShare} tokens.', output)}${
        parts.length === 0 ? '' : ` The largest: ${parts.join(', ')}.`
      }`
    },
  },
  {
    slug: 'native-whale-alerts',
    telling: 'whale dump dumped transfers',
    asks: [
      'whale whales sold moved token',
      'large transfers of native token',
      'dump dumped tokens on exchange',
      'big sales deposits to exchange recently',
    ],
    input: ({ entities }) =>
      entities.usd[0] === undefined ? {} : { thresholdUsd: within(entities.usd[0], 10, 100_000) },
    answer: (output) => {
      const events = listAt(output, 'events')
      const [largest] = events.toSorted((a, b) => numberAt(b, 'valueUsd') - numberAt(a, 'valueUsd'))
      return `${sentenceOf(`{count} transfers of $\{thresholdUsd} or more in the last {window.blocks} blocks`, {
        ...(typeof output === 'object' ? output : {}),
        count: events.length,
      })}${largest === undefined ? '.' : sentenceOf('; the largest is {tokens} tokens (${valueUsd}), a {cohort}.', largest)}`
    },
  },
  {
    slug: 'native-sweep-forecast',
    telling: 'sweep sweeping',
    asks: [
      'cost to sweep the floor',
      'sweep sweeping items cheapest',
      'where would the floor go if i buy',
      'how thin is the floor forecast',
    ],
    needs: 'collection',
    input: ({ entities }) => ({ collection: entities.collections[0] }),
    answer: (output, { entities }) => {
      const wanted = entities.counts[0] ?? 10
      const steps = listAt(output, 'sweep')
      const step = steps.find((one) => numberAt(one, 'count') >= wanted) ?? steps.at(-1)
      const floor = sentenceOf('The floor of {collection} is {floor.eth} ETH.', output)
      if (step === undefined) return floor
      return valueAt(step, 'costEth') === null
        ? `${floor} ${sentenceOf('Fewer than {count} items are listed.', step)}`
        : `${floor} ${sentenceOf('The cheapest {count} cost {costEth} ETH[ (${costUsd})][, and the floor is {newFloorEth} ETH after that].', step)}`
    },
  },
  {
    slug: 'collection-stats',
    telling: 'floor collection nft',
    asks: [
      'floor price of nft collection',
      'collection owners volume sales 24h',
      'best bid bids for an nft',
      'compare nft collections',
      'royalty of collection',
    ],
    needs: 'collection',
    input: ({ entities }) => ({ slug: entities.collections.slice(0, 5) }),
    answer: (output) =>
      (Array.isArray(output) ? output : [output])
        .map((one) =>
          sentenceOf(
            '{name}: floor {floorEth} ETH[ (${floorUsd})][, {volume24hEth} ETH traded in {sales24h} sales in 24 hours][, {owners} owners of {totalSupply} items][, best bid {bidFloorEth} ETH].',
            one,
          ),
        )
        .join(' '),
  },
  {
    slug: 'launchpad-deployer-profile',
    telling: 'deployer',
    asks: [
      'deployer launched tokens',
      'profile of token deployer win rate',
      'how often did tokens of deployer succeed',
      'what has this wallet deployed launched',
    ],
    needs: 'address',
    input: (_asked, address) => ({ address }),
    answer: fill(
      '{address}[ ({handle})] launched {total_tokens} tokens, worth ${total_market_cap_usd} together; {win_count} passed ${win_threshold_usd} ({win_rate_pct} percent).',
    ),
  },
  {
    slug: 'launchpad-leaderboard',
    telling: 'launchpad',
    asks: ['who leads the launchpad', 'launchpad leaderboard ranking', 'top of launchpad by staking mindshare pnl'],
    input: ({ question, entities }) => ({
      ...wordIn(question, 'sort', ['staking', 'bnkr', 'mindshare', 'earn', 'partner', 'pnl', 'nft', 'referral']),
      ...(/\b(?:24h|today|day)\b/i.test(question)
        ? { timeframe: '24h' }
        : /\b(?:7d|week)\b/i.test(question)
          ? { timeframe: '7d' }
          : /\b(?:30d|month)\b/i.test(question)
            ? { timeframe: '30d' }
            : {}),
      ...(entities.counts[0] === undefined ? {} : { limit: within(entities.counts[0], 1, 20) }),
    }),
    answer: (output) => {
      const rows = listAt(output, 'data').slice(0, 5)
      const parts = rows.map((row) => sentenceOf('{rank}. {handle} ({score})', row))
      return `${sentenceOf('The launchpad by {sort} ({timeframe})', output)}: ${parts.length === 0 ? 'nobody' : parts.join(', ')}.`
    },
  },
  {
    slug: 'chain-ecosystem-radar',
    telling: 'ecosystem network contracts trending holders transactions',
    asks: [
      'what is going on on base network',
      'newest verified contracts new contracts',
      'trending tokens most holders',
      'transactions a day of the network chain',
      'ecosystem activity of base',
    ],
    input: () => ({}),
    answer: (output) => {
      const names = (path: string, template: string): string =>
        listAt(output, path)
          .slice(0, 3)
          .map((row) => sentenceOf(template, row))
          .join(', ')
      const day = listAt(output, 'txTrend14d').at(-1)
      return [
        day === undefined ? '' : sentenceOf('Base had {txCount} transactions on {date}.', day),
        ` Most held tokens: ${names('trendingTokens', '{symbol} ({holderCount} holders)') || 'unknown'}.`,
        ` Newest verified contracts: ${names('newContracts', '{name}') || 'unknown'}.`,
      ]
        .join('')
        .trim()
    },
  },
  {
    slug: 'contract-abi-inspector',
    telling: 'abi contract',
    asks: [
      'abi of contract',
      'contract verified source functions events',
      'list functions and events of contract',
      'proxy implementation who can upgrade',
      'compiler version built with',
    ],
    needs: 'address',
    input: (_asked, address) => ({ address }),
    answer: (output) => {
      const flags = listAt(output, 'riskFlags').map((flag) => sentenceOf('{it}', { it: flag }))
      return [
        sentenceOf('{address}[ is {name}][, compiled with {compilerVersion}].', output),
        sentenceOf(' Source verified: {verification.isVerified}; proxy: {proxy.isProxy}.', output),
        sentenceOf('[ It has {abi.functions} functions and {abi.events} events.]', output),
        sentenceOf('[ Its code can be replaced by {proxy.controller.address}.]', output),
        flags.length === 0 ? '' : ` To look at: ${flags.slice(0, 5).join(', ')}.`,
      ].join('')
    },
  },
  {
    slug: 'contract-safety-scanner',
    telling: 'honeypot rug contract',
    asks: [
      'honeypot token',
      'safe to buy contract token safety',
      'rug pull risks scan contract',
      'can owner mint blacklist pause',
      'dangerous scam contract',
    ],
    needs: 'address',
    input: (_asked, address) => ({ address }),
    answer: (output) => {
      const risks = listAt(output, 'risks').map((risk) => sentenceOf('{it}', { it: risk }))
      return `${sentenceOf('{contract} scores {safetyScore} of 100 ({safetyLevel}).', output)} ${
        risks.length === 0 ? 'No risk was found by this heuristic.' : `Risks: ${risks.slice(0, 3).join('; ')}.`
      }`
    },
  },
  {
    slug: 'erc20-approval-audit',
    telling: 'approvals allowances permit2',
    asks: [
      'token approvals open',
      'unlimited allowances spenders',
      'who may spend tokens of wallet',
      'revoke approvals allowance permit2',
    ],
    needs: 'address',
    input: (_asked, address) => ({ owner: address }),
    answer: fill('{owner}: {summary} Risk {riskScore} of 100, from approvals of the last {lookbackBlocks} blocks.'),
  },
  {
    slug: 'native-narrative-pulse',
    telling: 'narratives',
    asks: ['narratives of the market', 'which narrative is rising emerging fading', 'narrative phase mindshare'],
    input: ({ question }) => wordIn(question, 'phase', ['Emerging', 'Rising', 'Peak', 'Fading']),
    answer: (output) => {
      const rows = listAt(output, 'narratives').slice(0, 4)
      const parts = rows.map((row) => sentenceOf('{slug} ({phase}, {position})', row))
      return `Narratives, ${sentenceOf('{stalenessHours} hours old', output)}: ${parts.length === 0 ? 'none fits' : parts.join(', ')}.`
    },
  },
  {
    slug: 'native-influence-impact',
    telling: 'posts influencer influence tweets',
    asks: ['whose posts move volume', 'influencer influence impact of posts on token', 'who moves trading with tweets'],
    takes: ['symbol'],
    input: ({ entities }) => (entities.symbols[0] === undefined ? {} : { token: entities.symbols[0] }),
    answer: (output) => {
      const tokens: readonly unknown[] = [output, ...Object.values(valueAt(output, 'tokens') ?? {})]
      const leaders = tokens.map((one) => ({ token: valueAt(one, 'token'), row: listAt(one, 'leaderboard')[0] }))
      const [first] = leaders
        .filter(({ row }) => row !== undefined)
        .toSorted((a, b) => numberAt(b.row, 'total_attributed_usd') - numberAt(a.row, 'total_attributed_usd'))
      return first === undefined
        ? sentenceOf('The snapshot is {stalenessHours} hours old[; {error}].', output)
        : sentenceOf(
            '{row.author} comes first[ for {token}], with ${row.total_attributed_usd} traded above the usual around {row.posts} posts.',
            first,
          )
    },
  },
  {
    slug: 'polymarket-odds',
    telling: 'odds probability polymarket chance likely likelihood prediction',
    asks: [
      'odds probability chance likelihood',
      'polymarket prediction market',
      'will it happen win election',
      'how likely is it',
    ],
    input: ({ question, entities }) => ({
      question: entities.urls.find((url) => url.includes('polymarket.com')) ?? subjectOf(question),
    }),
    answer: (output) => {
      const parts = listAt(output, 'outcomes')
        .slice(0, 4)
        .map((row) =>
          sentenceOf('{name} {it} percent', {
            name: valueAt(row, 'name'),
            it: Math.round(numberAt(row, 'probability') * 1000) / 10,
          }),
        )
      return `“${sentenceOf('{question}', output)}”: ${parts.join(', ')}${sentenceOf('[, with ${volume_usd} traded]', output)}.`
    },
  },
  {
    slug: 'repo-health-for-agents',
    telling: 'repository repo github',
    asks: [
      'repository maintained health bus factor',
      'github repo depend on library',
      'open source project maintenance score',
    ],
    needs: 'repo',
    input: ({ entities }) => ({ repo: entities.repos[0] }),
    answer: (output, { question }) => {
      const check = /bus factor/i.test(question)
        ? listAt(output, 'checks').find((one) => valueAt(one, 'id') === 'bus_factor')
        : listAt(output, 'recommendations')[0]
      return `${sentenceOf('{repo} scores {overall_score} of 100 (grade {grade}).', output)}${sentenceOf('[ {evidence}][ First to do: {action}]', check)}`
    },
  },
  {
    slug: 'base-builder-grant-finder',
    telling: 'grants funding accelerator bounties',
    asks: ['grants funding apply', 'accelerator bounties quests builders', 'find money for my project prototype'],
    input: ({ question }) => ({
      category: 'any',
      ...wordIn(question, 'category', ['defi', 'infra', 'consumer', 'nft', 'tooling', 'social']),
      ...(/\bagents?\b/i.test(question) ? { category: 'ai-agent' } : {}),
      ...wordIn(question, 'stage', ['idea', 'prototype', 'mainnet', 'scaling']),
      max_results: 3,
    }),
    answer: (output) => {
      const parts = listAt(output, 'results').map((row) => sentenceOf('{program_name} ({type}, {source_url})', row))
      return parts.length === 0
        ? 'No open program fits.'
        : `${sentenceOf('Of {total_open_programs} open programs', output)} these fit best: ${parts.join('; ')}.`
    },
  },
  {
    slug: 'mcp-security-scanner',
    telling: 'mcp',
    asks: [
      'mcp server safe to install add',
      'scan mcp manifest prompt injection',
      'poisoned tool descriptions exfiltration mcp security',
    ],
    needs: 'url',
    input: ({ entities }) => ({ manifestUrl: entities.urls[0] }),
    answer: (output) => {
      const [first] = listAt(output, 'findings')
      return `${sentenceOf('{serverName}: overall risk {summary.overallRisk}, {toolCount} tools read.', output)}${
        first === undefined ? ' Nothing was found.' : sentenceOf(' First finding ({severity}): {title}.', first)
      }`
    },
  },
  {
    slug: 'agent-revenue-optimizer',
    telling: 'x402 endpoint revenue',
    asks: ['why does nobody pay my endpoint', 'audit x402 endpoint revenue pricing', 'paid endpoint earn more fix 402'],
    needs: 'url',
    input: ({ entities }) => ({ endpoint_url: entities.urls[0] }),
    answer: (output) => {
      const [first] = listAt(output, 'recommendations')
      return `${sentenceOf('{endpoint_url} is judged {verdict}.', output)}${
        first === undefined ? '' : sentenceOf(' First to do ({lever}): {action}', first)
      }`
    },
  },
  {
    slug: 'multi-agent-workflow-designer',
    telling: 'workflow pipeline plan tools',
    asks: [
      'plan a workflow of tools',
      'which tools do i need step by step',
      'combine several tools pipeline budget',
      'plan then after that',
    ],
    input: ({ question, entities }) => ({
      goal: question.length < 8 ? `Plan: ${question}` : question,
      ...(entities.usd[0] === undefined ? {} : { budget_usd: within(entities.usd[0], 0, 1_000) }),
    }),
    answer: (output) => {
      const parts = listAt(output, 'steps').map((row, index) =>
        sentenceOf(`${index + 1}. {tool_slug} ($\{cost_usd})`, row),
      )
      return parts.length === 0 ? 'No plan was found for this goal.' : `The plan: ${parts.join(', ')}.`
    },
  },
  {
    slug: 'agent-token-strategy',
    telling: 'tokenomics launch',
    asks: ['plan a token launch', 'tokenomics allocations for my agent', 'launch a token strategy'],
    needs: 'symbol',
    input: ({ question, entities }) => ({
      agent_name:
        /\bagent (?:called |named )?((?:[A-Z][\w-]* ?){1,4})/.exec(question)?.[1]?.trim() ?? entities.symbols[0],
      symbol: entities.symbols[0],
      pattern: /stak/i.test(question)
        ? 'staking-loop'
        : /fair/i.test(question)
          ? 'fair-launch-axiom-style'
          : 'minimal-erc20',
    }),
    answer: (output) => {
      const parts = listAt(output, 'allocations').map((row) => sentenceOf('{percent} percent {bucket}', row))
      return `${sentenceOf('A {pattern} launch of {symbol}', output)}: ${parts.join(', ')}.`
    },
  },
]

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

/** The first of the words that the question says, as an input of that name. */
function wordIn(question: string, input: string, words: readonly string[]): Readonly<Record<string, string>> {
  const word = words.find((one) => new RegExp(`\\b${one}\\b`, 'i').test(question))
  return word === undefined ? {} : { [input]: word }
}

/** What a question about odds is about: the words that a market would have in its title. */
function subjectOf(question: string): string {
  const subject = question
    .replace(
      /^(?:what(?:'s| is| are)?|how likely is it|tell me|give me)?\s*(?:the )?(?:odds|probability|chances?|likelihood) (?:that|of|for)\s+/i,
      '',
    )
    .replace(/^how likely is it that\s+/i, '')
    .replace(/,? (?:according to|on|at) polymarket\b/i, '')
    .replaceAll(/[?!.]+$/g, '')
    .trim()
  return (subject === '' ? question : subject).slice(0, 200)
}
