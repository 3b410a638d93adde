import { type Knowledge, phrases } from './entry.ts'

const address = { address: '{{address}}' } as const

/** What the planner knows of this server's own tools. Only those that the registry really holds are planned. */
export const ownTools: Readonly<Record<string, Knowledge>> = {
  'base-gas-tracker': {
    category: 'gas',
    keywords: phrases(`
      gas, gas price, gwei, base fee, priority fee, network fee, transaction fee, transaction cost, fee trend,
      cheap moment, cheap time to transact, expensive now, when to send, timing, swap cost, congestion, batch
      transfers, least costly, best time to transact, fees right now, l2 fees, gas forecast, low fees
    `),
    input: { blocks: 10 },
    provides: { gas_price_gwei: 'gas_price_gwei', trend: 'trend' },
  },
  'wallet-portfolio': {
    category: 'portfolio',
    keywords: phrases(`
      wallet, portfolio, balance, token balances, holdings, what does it hold, net worth, wallet value, usd
      value, dollar value, assets, treasury, how much money, how much is it worth, account value, funds, tokens
      held, eth and usdc balance, crypto balances, everything owned by address, tally, sum of holdings, my
      tokens, what is in my wallet, rich, net value, eth balance, usdc balance, bankroll
    `),
    input: address,
    provides: { total_usd: 'total_usd', tokens: 'tokens' },
  },
  'mcp-security-scanner': {
    category: 'safety',
    keywords: phrases(`
      excessive permissions, agent plugin, plugin, scope permissions, mcp, mcp server, mcp manifest, model
      context protocol, tool manifest, prompt injection, injected, tool poisoning, poisoned, hidden
      instructions, exfiltrate secrets, tool descriptions, security review of tools, security scan, connect
      assistant, install server, privilege escalation, vulnerability, malicious tool, mcp integration, mcp tool
      list, agent tool safety, injection attack, red team, tool shadowing, scan manifest, skill file
    `),
    input: { manifestUrl: '{{url}}' },
    provides: { findings: 'findings', overall_risk: 'summary.overallRisk' },
  },
  'polymarket-odds': {
    category: 'narrative',
    keywords: phrases(`
      odds that, probability that, chances of, prediction market, polymarket, odds, betting odds, probability,
      chance, likely, will it happen, forecast, outcome, event, election, president, vote, win, world cup,
      match, fed rate, cut rates, shutdown, market think, traders think, by the end of the year, reach, hit,
      implied probability, bookmaker, punter, superbowl, champion, winner, who wins, game, sports bet, wager,
      prediction, crowd expects, rate cut, referendum, approved by, ceasefire, recession
    `),
    input: { question: '{{question}}' },
    provides: { outcomes: 'outcomes', volume_usd: 'volume_usd' },
  },
  'repo-health-for-agents': {
    category: 'token-due-diligence',
    keywords: phrases(`
      github, repository, repo health, open source, codebase, code quality, maintained, maintainers, bus factor,
      contributor, developer activity, last commit, issues, pull requests, library, dependency, depend on,
      software project, ci, license, scorecard, abandoned, actively developed, commit history, stars and forks,
      project health, npm package, maintenance, stale project, openssf, codebase health, releases
    `),
    input: { repo: '{{repo}}' },
    provides: { overall_score: 'overall_score', grade: 'grade' },
  },
  'agent-revenue-optimizer': {
    category: 'tokenomics',
    keywords: phrases(`
      x402 endpoint, paid endpoint, paid api, paid route, audit pricing, pricing of api, revenue, monetize,
      monetization, earn more, paying callers, buyers, customers, charge per call, undercharging, price per
      call, 402, payment envelope, discoverability, conversion, bazaar listing, optimize, paywall, broken
      envelope, envelope, monetise, sell api calls, api income, price my api, more sales, listing in bazaar,
      increase revenue, facilitator setup, why nobody pays
    `),
    input: { endpoint_url: '{{url}}' },
    provides: { verdict: 'verdict', recommendations: 'recommendations' },
  },
  'agent-token-strategy': {
    category: 'tokenomics',
    keywords: phrases(`
      allocate tokens, treasury and community split, token distribution, token launch, launch a token, launch a
      coin, create token, issue a token, tokenomics, split the supply, allocation, vesting, erc20, fair launch,
      contracts to deploy, deploy cost, mint our own token, design token, design an erc20, erc20 with staking
      vault, coin called, token strategy, non security checklist, airdrop plan, issue my coin, memecoin launch,
      create a coin, token symbol, supply design, token plan, erc20 deploy plan, new token, liquidity lock plan,
      governance token
    `),
    input: { agent_name: '{{agent_name}}', symbol: '{{symbol}}', pattern: 'minimal-erc20' },
    provides: { allocations: 'allocations', contracts_to_deploy: 'contracts_to_deploy' },
  },
  'base-builder-grant-finder': {
    category: 'indexer',
    keywords: phrases(`
      grant, funding program, funding, accelerator, hackathon, bounty, retro funding, deadline, apply,
      applications, money for builders, builders, gives money, early project, startup, support program, sponsor,
      open bounties, bounties for developers, developers, funded, get funded, grants program, incubator,
      fellowship, raise money, prize, financing, non dilutive
    `),
    input: { category: 'any' },
    provides: { results: 'results' },
  },
  'multi-agent-workflow-designer': {
    category: 'indexer',
    keywords: phrases(`
      workflow, pipeline, compose tools, orchestrate, dag, graph of calls, plan of calls, break down objective,
      break goal into steps, multi agent, chain tools together, sequence of tools, several agents, combine
      tools, which tools to call, multi step plan, automation plan, task graph, step by step plan
    `),
    input: { goal: '{{goal}}' },
    provides: { steps: 'steps' },
  },
  'agent-binding-scout': {
    category: 'identity',
    keywords: phrases(`
      agent nft, agent binding, agent bound, nft carries agent, erc8004, agents in collection, bound agents,
      agents attached to items, nft with agent, agents bound, bound to nft, nft agents, tokenbound agent, agent
      registered to nft
    `),
    input: { collection: '{{collection}}' },
    provides: { address: 'bindings.0.nft.contract' },
  },
  'agent-cert-check': {
    category: 'identity',
    keywords: phrases(`
      certified, certification, certificate, cert hash, attestation, battery hash, agent certified, passed
      certification, verified agent, cert, certified on chain, onchain cert, proof of certification
    `),
    input: address,
    provides: { is_certified: 'isCertified', cert_hash: 'certHash' },
  },
  'agent-directory': {
    category: 'indexer',
    keywords: phrases(`
      directory, registered tools, tool registry, erc8257, list tools, discover tools, discover agents, which
      tools exist, paid tools, tools by creator, browse registry, catalog of tools, known agents, search
      registry, tools made by, registered by, list of agents, marketplace of tools, who registered, tools of
      owner, available tools
    `),
    input: { limit: 25 },
    provides: { tools: 'tools' },
  },
  'agent-trust-score': {
    category: 'identity',
    keywords: phrases(`
      trust, trust score, trustworthy, reputation, reputable, credibility, counterparty, agent score, do
      business with, rely on agent, wallet age, trust wallet, trust address, trust tier, trustworthiness, should
      i trust, before paying, how old is wallet, wallet history score, rating of agent, reliable, legit agent
    `),
    input: address,
    provides: { score: 'score', tier: 'tier' },
  },
  'native-burn-stats': {
    category: 'tokenomics',
    keywords: phrases(`
      burn, burn stats, burned, supply burned, dead address, destroyed, percent of supply, token supply,
      deflation, deflationary, latest burns, tokens burned, burn rate, burned so far, circulating supply
      reduction, removed from supply
    `),
    input: {},
    provides: { percent_burned: 'burnStats.percentBurned' },
  },
  'native-influence-impact': {
    category: 'influence',
    keywords: phrases(`
      influencer, influence, kol, tweet, tweets move price, posts, attributed dollars, impact of posts, social
      media, account effect on price, pump the coin, shill, x accounts, price impact of accounts, twitter
      accounts, influential, who moves the market, callers, shillers, ct accounts
    `),
    input: {},
    provides: { leaderboard: 'leaderboard' },
  },
  'native-narrative-pulse': {
    category: 'narrative',
    keywords: phrases(`
      narrative, emerging narrative, mindshare, theme, sentiment, front run, fade, fading, hot story, crypto
      twitter, what is being talked about, rising, hype, meta, rotation, rising narratives, peaking, trendy,
      crypto mindshare, market story, what is hot, buzz, topics, attention, ai agents narrative
    `),
    input: {},
    provides: { narratives: 'narratives' },
  },
  'native-stakers-leaderboard': {
    category: 'tokenomics',
    keywords: phrases(`
      staker, top stakers, biggest stakers, staking, staking vault, vault, price per share, stakers leaderboard,
      how many people stake, staked, vault shares, leaderboard of stakers, largest staker, vault depositors,
      stake share, apy vault shares, total staked, who stakes
    `),
    input: { limit: 20 },
    provides: { address: 'leaderboard.0.address', price_per_share: 'pricePerShare' },
  },
  'native-sweep-forecast': {
    category: 'nft-market',
    keywords: phrases(`
      is sweeping worth it, sweep, sweep cost, sweep the floor, floor projection, project the floor, cheapest
      listings, lowest priced listings, listings, buy up listings, listing ladder, cost of buying many, pay in
      total, sweep cost ladder, floor items, buy the floor, cost to buy ten, floor forecast, floor after buying,
      bulk buy
    `),
    input: { collection: '{{collection}}' },
    provides: { sweep: 'sweep', projection: 'projection' },
  },
  'native-whale-alerts': {
    category: 'token-due-diligence',
    keywords: phrases(`
      whale, whale alert, large transfer, big transfer, big transfers to exchanges, exchange deposit,
      centralized exchange, large holders, dump, dumper, selling pressure, transfer above, alert, moving coins,
      whale movements, whale activity, big holders, moved more than, large sells, huge transfers, big money
      moves, deposits to binance, liquidity removed, new wallet buying
    `),
    input: { thresholdUsd: '{{usd_amount?}}' },
    provides: { address: 'events.0.from', events: 'events' },
  },
  'launchpad-deployer-profile': {
    category: 'token-due-diligence',
    keywords: phrases(`
      deployer, dev wallet, developer wallet, dev behind token, rug history, rugged before, serial rugger, win
      rate, track record, earlier tokens, previous launches, deployed these coins, who deployed, deployer
      history, what else did they launch, other tokens launched, did those tokens die, past tokens, launch
      history, tokens by this creator, dev track record, who is behind this token, creator wallet
    `),
    input: address,
    provides: { address: 'tokens.0.address', win_rate_pct: 'win_rate_pct' },
  },
  'launchpad-leaderboard': {
    category: 'influence',
    keywords: phrases(`
      leaderboard, launchpad leaderboard, top creators, top traders, ranking, rank, pnl, launchpad, launch
      platform, best performers, referral ranking, leaders, referral leaderboard, mindshare ranking, earners,
      who earns most, top 10, best creators, nft score ranking
    `),
    input: {},
    provides: { data: 'data' },
  },
  'chain-ecosystem-radar': {
    category: 'indexer',
    keywords: phrases(`
      ecosystem, chain overview, new contracts, trending tokens, network stats, network activity, chain
      activity, transactions per day, daily transactions, transaction trend, what is happening on base, got
      deployed lately, newly deployed, dashboard, tvl, radar, ecosystem pulse, newest verified contracts, newly
      verified contracts, state of the chain, base chain stats, total addresses, block time, recently launched
      contracts, popular tokens, chain health
    `),
    input: {},
    provides: { address: 'trendingTokens.0.address', new_contracts: 'newContracts' },
  },
  'collection-stats': {
    category: 'nft-market',
    keywords: phrases(`
      nft, nft collection, collection stats, floor price, floor, 24h volume, nft volume, bids, top bids, sales,
      owners, how many owners, royalty, nft project, selling for, nft market, opensea, highest bid, best offer,
      collection floor, stats for collection, nft floor, holders of collection, trading volume of nft, cheapest
      nft, nft prices, creator fee
    `),
    input: { slug: '{{collection}}' },
    provides: { address: 'contract', floor_eth: 'floorEth' },
  },
  'contract-abi-inspector': {
    category: 'block-explorer',
    keywords: phrases(`
      abi, verified source, source code, source verified, contract functions, contract interface, interface,
      methods, compiler, license of contract, proxy, proxy implementation, implementation, read contract,
      inspect contract, list functions, code verified, which compiler, verified on explorer, solidity source,
      function signatures, upgradeable, decode contract
    `),
    input: address,
    provides: { risk_flags: 'riskFlags' },
  },
  'contract-safety-scanner': {
    category: 'safety',
    keywords: phrases(`
      contract safety, safety, safe, safe to buy, safe token, smart contract, honeypot, scam, rug pull, rug,
      dangerous contract, risky contract, contract risk, malicious contract, lose my money, scan contract,
      interact with contract, bytecode, security of contract, scam token, rug check, before i ape, is it safe,
      token risk, contract danger, trap, malicious, contract security score, legit token, hidden mint, can i
      sell
    `),
    input: address,
    provides: { safety_score: 'safetyScore', safety_level: 'safetyLevel' },
  },
  'ens-resolver': {
    category: 'identity',
    keywords: phrases(`
      ens, ens name, resolve, resolve name, reverse lookup, human readable name, domain, name to address, turn
      name into address, who owns name, avatar, eth name, ens names, primary name, resolve names, basename, what
      name does address have, lookup name, address of name, names to addresses
    `),
    input: { items: ['{{name_or_address}}'] },
    provides: { address: 'results.0.address' },
  },
  'erc20-approval-audit': {
    category: 'wallet-risk',
    keywords: phrases(`
      approval, approve, token approvals, allowance, unlimited allowance, infinite approval, revoke, spender,
      token permissions, permissions granted, drain my wallet, wallet risk, wallet safe, dangerous approval,
      wallet exposed, risky allowances, token allowances, clean up approvals, old approvals, who can spend my
      tokens, spending rights, unlimited spending, revoke permissions, wallet security
    `),
    input: { owner: '{{address}}' },
    provides: { risk_score: 'riskScore', approvals: 'approvals' },
  },
}
