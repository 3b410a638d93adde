/** A story that people tell about the market, and where its posts and its money are found. */
export type Watched = {
  readonly slug: string
  readonly terms: readonly string[]
  /** Ids at CoinGecko; the first that it knows counts. */
  readonly coins: readonly string[]
  /** Names at DefiLlama; they are added up. */
  readonly protocols: readonly string[]
}

/** The narratives that are watched. A term in capitals alone counts only as it is written. */
export const watchedNarratives: readonly Watched[] = [
  {
    slug: 'agent-payments',
    terms: ['x402', 'agent payments', 'agentic payments', 'pay per call'],
    coins: ['x402-ecosystem'],
    protocols: ['Payments'],
  },
  {
    slug: 'agent-tool-registries',
    terms: ['ERC-8257', 'tool registry', 'agent registry', 'ERC-8004'],
    coins: [],
    protocols: [],
  },
  {
    slug: 'ai-agents',
    terms: ['AI agent', 'AI agents', 'agentic'],
    coins: ['ai-agents', 'artificial-intelligence'],
    protocols: ['AI Agents'],
  },
  {
    slug: 'base-ecosystem',
    terms: ['onbase', 'on base', 'buildonbase', 'base ecosystem'],
    coins: ['base-ecosystem'],
    protocols: [],
  },
  {
    slug: 'bitcoin-defi',
    terms: ['BTCfi', 'bitcoin defi', 'bitcoin staking'],
    coins: ['bitcoin-ecosystem'],
    protocols: ['Restaked BTC', 'Decentralized BTC', 'Anchor BTC'],
  },
  { slug: 'depin', terms: ['depin', 'physical infrastructure network'], coins: ['depin'], protocols: ['DePIN'] },
  {
    slug: 'gaming',
    terms: ['web3 gaming', 'onchain game', 'onchain games', 'gamefi'],
    coins: ['gaming'],
    protocols: ['Gaming'],
  },
  {
    slug: 'layer-2',
    terms: ['layer 2', 'rollup', 'rollups', 'superchain'],
    coins: ['layer-2'],
    protocols: [],
  },
  {
    slug: 'lending',
    terms: ['onchain lending', 'money market', 'borrow rates'],
    coins: ['lending-borrowing'],
    protocols: ['Lending'],
  },
  { slug: 'memes', terms: ['memecoin', 'memecoins', 'meme coin'], coins: ['meme-token'], protocols: [] },
  {
    slug: 'nfts',
    terms: ['nft', 'nfts', 'floor price', 'pfp'],
    coins: ['non-fungible-tokens-nft'],
    protocols: ['NFT Marketplace'],
  },
  {
    slug: 'perpetuals',
    terms: ['perp dex', 'perpetuals', 'perps'],
    coins: ['decentralized-perpetuals', 'perpetuals'],
    protocols: ['Derivatives'],
  },
  {
    slug: 'prediction-markets',
    terms: ['prediction market', 'prediction markets', 'polymarket', 'kalshi'],
    coins: ['prediction-markets'],
    protocols: ['Prediction Market'],
  },
  {
    slug: 'privacy',
    terms: ['privacy coin', 'privacy pools', 'shielded', 'zcash'],
    coins: ['privacy-coins'],
    protocols: ['Privacy'],
  },
  {
    slug: 'real-world-assets',
    terms: ['RWA', 'RWAs', 'real world assets', 'tokenized treasuries', 'tokenized stocks'],
    coins: ['real-world-assets-rwa'],
    protocols: ['RWA'],
  },
  {
    slug: 'restaking',
    terms: ['restaking', 'eigenlayer', 'liquid restaking'],
    coins: ['restaking'],
    protocols: ['Restaking', 'Liquid Restaking'],
  },
  { slug: 'social', terms: ['socialfi', 'farcaster', 'miniapp', 'mini app'], coins: ['socialfi'], protocols: ['SoFi'] },
  {
    slug: 'stablecoins',
    terms: ['stablecoin', 'stablecoins'],
    coins: ['stablecoins'],
    protocols: ['CDP', 'Stablecoin Issuer'],
  },
  {
    slug: 'token-launchpads',
    terms: ['launchpad', 'token launch', 'bankr', 'clanker'],
    coins: ['launchpad'],
    protocols: ['Launchpad'],
  },
  {
    slug: 'zero-knowledge',
    terms: ['zero knowledge', 'zk proof', 'zk proofs', 'zkvm'],
    coins: ['zero-knowledge-zk'],
    protocols: [],
  },
]

/** The story of the project's own token. */
export function nativeNarrative(symbol: string): Watched {
  const name = symbol.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return { slug: `${name}-token`, terms: [`$${symbol}`, symbol], coins: [], protocols: [] }
}
