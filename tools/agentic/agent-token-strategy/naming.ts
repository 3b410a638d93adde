export const nameKinds = [
  'impersonation',
  'stable-value',
  'promise-of-gain',
  'gain-word',
  'share-of-revenue',
  'regulated-word',
  'feature-word',
] as const

/** What a name or a symbol says to people who may buy. */
export type NameFinding = {
  readonly field: 'agent_name' | 'symbol'
  readonly found: string
  readonly kind: (typeof nameKinds)[number]
}

/** Tokens that people know by their ticker; somebody else's token under one of these is taken for it. */
const knownTickers = new Set(
  `AAVE ADA AERO APT ARB ATOM AVAX BASE BAT BCH BNB BRETT BTC BUSD CBBTC CBETH COMP CRO CRV DAI DEGEN DOGE DOT ENS EOS ETC
  ETH EURC EURI EURT FDUSD FIL FRAX FTM GHO GRT HBAR HYPE ICP INJ JUP LDO LINK LTC LUSD MATIC MKR MNT MORPHO NEAR OP PAXG
  PEPE POL PYUSD PYTH RENDER RETH RLUSD SEI SHIB SKY SNX SOL STETH STX SUI SUSDE SUSDS SUSHI TAO TIA TON TRUMP TRX TUSD UNI
  USDC USDBC USDE USDG USDP USDS USDT VIRTUAL WBETH WBTC WEETH WETH WIF WLD WSTETH XAUT XLM XMR XRP ZEC ZORA ZRO`.split(
    /\s+/,
  ),
)
/** Names whose owners are known, and who would have to say yes. */
const knownNames = new Set(
  `aave aerodrome amazon anthropic apple binance bitcoin blackrock bybit chainlink chatgpt circle claude coinbase deepmind
  ethereum farcaster fidelity gemini github google grayscale jpmorgan kraken ledger mastercard meta metamask microsoft
  morpho nvidia okx openai opensea optimism paypal polymarket revolut ripple robinhood solana spacex stripe telegram tesla
  tether twitter uniswap virtuals visa worldcoin`.split(/\s+/),
)
const currencies = 'USD EUR GBP JPY CHF CNY CNH AUD CAD SGD HKD KRW INR BRL MXN AED'.split(' ')

/** Words that say how much or how surely one will gain. */
const promises = [
  /\b\d+(?:[.,]\d+)?\s?x\b/,
  /\b\d+(?:[.,]\d+)?\s?(?:%|per ?cent\b|pct\b)/,
  /\b(?:earns?|pays?|makes?|returns?)\b.{0,20}\b(?:daily|weekly|monthly|yearly|every (?:day|week|month|year))\b/,
  /\bguarant\w*/,
  /\brisk[ -]?free\b/,
  /\bno[ -]risk\b/,
  /\bget[ -]rich\b/,
  /\bpassive income\b/,
  /\bfree money\b/,
  /\b(?:double|triple|multiply) your\b/,
  /\bto the moon\b/,
  /\bmoonshot\b/,
] as const
/** Words that speak of gains without promising any; an agent may be about them. */
const gainWords =
  /\b(?:yields?|profits?|profitable|returns?|apy|apr|roi|interest|earn|earns|earnings|income|gains?|riches|wealth|moon|lambo|pump)\b/
const shareWords =
  /\b(?:dividends?|(?:revenue|profit|fee)s?[ -]?shar\w*|royalt(?:y|ies)|payouts?|cash ?flows?|shareholders?|equity)\b/
const regulatedWords =
  /\b(?:banks?|banking|insurance|insured|funds?|etf|stocks?|shares?|bonds?|securit(?:y|ies)|brokers?|deposits?|savings|pension|trust|treasury bills?|official)\b/

/** Words for what a contract does; a name that says one promises it. */
const votes = /\b(?:dao|daos|governance|governed|vot(?:e|es|ing|ers?)|ballots?|parliament)\b/
const vault = /\b(?:stak(?:e|es|ed|ing|ers?)|vaults?)\b/
/** No pattern has a contract for these. */
const neverKept = /\b(?:burn(?:s|ing|able)?|deflation(?:ary)?|buybacks?)\b/

/** What name and symbol say that the token can do, and no contract of the plan does. */
export function unkeptFeatures(
  agentName: string,
  symbol: string,
  kept: { readonly votes: boolean; readonly vault: boolean },
): readonly NameFinding[] {
  const patterns = [...(kept.votes ? [] : [votes]), ...(kept.vault ? [] : [vault]), neverKept]
  return patterns.flatMap((pattern) =>
    (['agent_name', 'symbol'] as const).flatMap((field) => {
      const found = pattern.exec(wordsOf(field === 'symbol' ? symbol : agentName))?.[0]
      return found === undefined ? [] : [{ field, found: found.slice(0, longestFound), kind: 'feature-word' as const }]
    }),
  )
}

/** Found words stand in notes of limited length. */
const longestFound = 32

/** What a person who reads the name and the symbol may be led to believe. */
export function nameFindings(agentName: string, symbol: string): readonly NameFinding[] {
  const findings = [...ofSymbol(symbol), ...ofName(agentName), ...ofWords('agent_name', wordsOf(agentName))]
  return findings.map((finding) => ({ ...finding, found: finding.found.slice(0, longestFound) }))
}

function ofSymbol(symbol: string): readonly NameFinding[] {
  const known = tickersLike(symbol).find((ticker) => knownTickers.has(ticker))
  const currency = currencies.find((code) => symbol.startsWith(code) || symbol.endsWith(code))
  return [
    ...(known === undefined ? [] : [{ field: 'symbol' as const, found: known, kind: 'impersonation' as const }]),
    ...(currency === undefined ? [] : [{ field: 'symbol' as const, found: currency, kind: 'stable-value' as const }]),
    ...ofWords('symbol', wordsOf(symbol)),
  ]
}

function ofName(name: string): readonly NameFinding[] {
  const words = wordsOf(name).split(' ')
  const brand = words.find((word) => knownNames.has(word) || knownTickers.has(word.toUpperCase()))
  // A word of letters from two alphabets is made to be taken for another one.
  const mixed = name
    .split(/[^\p{L}\p{M}]+/u)
    .find(
      (word) =>
        [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u].filter((one) => one.test(word)).length > 1,
    )
  return [brand, mixed].flatMap((found) =>
    found === undefined ? [] : [{ field: 'agent_name' as const, found, kind: 'impersonation' as const }],
  )
}

function ofWords(field: NameFinding['field'], text: string): readonly NameFinding[] {
  const promise = promises.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined)
  const found: readonly (readonly [NameFinding['kind'], string | undefined])[] = [
    ['promise-of-gain', promise],
    ['gain-word', gainWords.exec(text)?.[0]],
    ['share-of-revenue', shareWords.exec(text)?.[0]],
    ['regulated-word', regulatedWords.exec(text)?.[0]],
  ]
  return found.flatMap(([kind, word]) => (word === undefined ? [] : [{ field, found: word, kind }]))
}

/** Words in small Latin letters, apart where the writing sets them apart: `Guaranteed10xYield` is three. */
function wordsOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2')
    .replaceAll(/(\dx)(\p{L})/giu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}%.,-]+/gu, ' ')
    .trim()
}

/** The symbol as it is read: with digits for the letters they look like, and without what is hung on a known one. */
function tickersLike(symbol: string): readonly string[] {
  const looks: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 3: 'E', 4: 'A', 5: 'S', 7: 'T', 8: 'B' }
  const spelled = [symbol, symbol.replaceAll(/[0134578]/g, (digit) => looks[digit] ?? digit)]
  return spelled.flatMap((one) => [
    one,
    one.replaceAll('1', 'L'),
    one.replaceAll('I', 'L'),
    one.replace(/(?:V?\d|E)$/, ''),
  ])
}
