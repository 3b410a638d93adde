const stopWords = new Set(
  (
    'a about above again all also an and any are as at be best better been but by can could did do does for from get give had has have help how i if in into is it its just know let like ' +
    'look me more my need of on or our out please see should show so some tell than that the their them there these they this those to too under up us ' +
    'want was we were what when where which who whose will with would you your'
  ).split(' '),
)

const endings =
  'ization isation ication icate ation ibility able ity ety ment ing ion ier ied er or al ive ie ed ly e y'.split(' ')

/** Words that mean the same to the planner, by stem: whoever says the first also says the others. */
const synonyms: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['bet wager gamble bookmaker', 'odds'],
    ['likelihood chance odds', 'probability'],
    ['cheap', 'gas'],
    ['gwei', 'gas'],
    ['fee', 'gas'],
    ['holding hold asset', 'portfolio'],
    ['account', 'wallet'],
    ['repo repository', 'github'],
    ['scam fraud scammy', 'honeypot'],
    ['rugpull rugger', 'rug'],
    ['risky unsafe secure', 'safe'],
    ['audit vet review inspect', 'scan'],
    ['allowances permission', 'approval'],
    ['fund grantmaker', 'grant'],
    ['monetise monetisation income', 'revenue'],
    ['profile reputation credible', 'trust'],
    ['certificate attest', 'certified'],
    ['destroy incinerate', 'burn'],
    ['stake staking', 'staker'],
    ['influencer kol', 'influence'],
    ['tweet post', 'influencer'],
    ['story trend vibe topic', 'narrative'],
    ['mood', 'sentiment'],
    ['pfp jpeg', 'nft'],
    ['dev', 'deployer'],
    ['username handle', 'ens'],
    ['btc', 'bitcoin'],
    ['eth ether', 'ethereum'],
    ['quote', 'price'],
    ['registry', 'directory'],
    ['automate automation schedule', 'workflow'],
    ['plan', 'workflow'],
    ['blockscout basescan etherscan', 'explorer'],
    ['tx txs', 'transaction'],
    ['person people human', 'contact'],
    ['prompt', 'injection'],
    ['jailbreak', 'injection'],
  ].flatMap(([words = '', meaning = '']) => words.split(' ').map((word) => [stem(word), stem(meaning)])),
)

/** Lower-case words of a text without the empty ones; `ERC-20` and `x402` stay whole. */
export function wordsOf(text: string): readonly string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\b(erc|eip)[- ]?(\d+)/g, '$1$2')
    .replaceAll(/['’]s\b/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !stopWords.has(word))
}

/** The stem of a word and what it also means. */
export function meaningsOf(word: string): readonly string[] {
  const own = stem(word)
  const other = synonyms[own]
  return other === undefined || other === own ? [own] : [own, other]
}

/** A rough stem: the same on both sides matters more than being right. */
export function stem(word: string): string {
  const single = /[^s]s$/.test(word) && word.length > 3 && !/(us|is)$/.test(word) ? word.slice(0, -1) : word
  const ending = endings.find((end) => single.endsWith(end) && single.length - end.length >= 3)
  const root = ending === undefined ? single : single.slice(0, -ending.length)
  // `planning` and `plan` meet where the doubled letter goes; `staking` and `stake` where the last e does.
  return root.length > 3 ? root.replace(/([b-df-hj-np-rtv-z])\1$/, '$1').replace(/e$/, '') : root
}

/** Sentences one after the other as far as they fit; none is cut. */
export function wholeSentences(sentences: readonly string[], limit: number): string {
  return sentences.reduce((text, sentence) => {
    const longer = text === '' ? sentence : `${text} ${sentence}`
    return longer.length <= limit ? longer : text
  }, '')
}
