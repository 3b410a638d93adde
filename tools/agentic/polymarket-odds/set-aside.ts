import { isMeant } from './words.ts'

/** How a question sets something aside, wherever in the sentence it stands. */
const setAside = [
  'never ?mind',
  'forget(?: about)?',
  'rather than',
  'instead of',
  'as opposed to',
  'leav(?:e|ing) out',
  'ignor(?:e|ing)',
  "i do(?: no|n)[’']?t mean",
  'not talking about',
].join('|')
/**
 * `Not` sets aside where a part of the sentence begins with it; behind a verb it turns that verb round, and in front of
 * one it is what is asked about.
 */
const notAtStart =
  '(?<=^\\s*|[,;:.!?()–—]\\s*|\\s-\\s*|\\b(?:and|but)\\s)not(?! (?:a|at|before|even|just|later|only|sure|that|to|too|until|yet|\\p{L}+ing)\\b)'
/** Where what is set aside ends. */
const end = '(?=\\s*(?:[,;:.!?()–—]|\\s-\\s|\\b(?:but|what about|how about|i mean|just|only|tell me|show me)\\b|$))'
const part = new RegExp(`(?:\\b(?:${setAside})|${notAtStart})\\s+(?:the\\s+)?[^,;:.!?()–—]{2,60}?${end}`, 'giu')

/**
 * A question without what it sets aside: `X, not Y`, `never mind Y`, `rather than Y`. Where nothing else is asked about
 * the question stays as it is.
 */
export function withoutSetAside(text: string): string {
  const rest = text.replace(part, ' ').replace(/\s+/gu, ' ').trim()
  return rest.split(' ').some(isMeant) ? rest : text
}
