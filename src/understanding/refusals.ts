/**
 * What a sentence says that it does not want: `no gas stuff`, `skip the approvals`, `prices are no concern`. A clause
 * that only refuses asks for nothing; at the end of one that asks, what is refused is cut off.
 */
const refusing = [
  // `I don't know whether it is safe` asks; `I don't need its score` refuses.
  "(?:i |we )?(?:do not|don't|dont)(?: really| even)? (?!you\\b|know|understand|remember|trust|believe|think|recall|recogni|have|get\\b|see\\b|feel|like\\b)",
  "(?:i'm |im |i am |we are |i |we )?not (?!sure|certain|clear|convinced|only|just|long|knowing|having)",
  'no need|never (?!heard|met|seen|used|dealt|had|been|before|sold|bought)|neither|nor',
  'skip|ignore|leave out|omit|spare (?:me|us)|forget|nothing (?:about|on|of)|drop (?:the|any|all)',
  "(?:leave|keep) (?:[\\w'’-]+ ){1,4}(?:out|aside|alone|away)",
  'except|excluding|apart from|aside from|other than|rather than|instead of|(?:setting|putting|leaving) aside',
].join('|')
const refuses = new RegExp(
  String.raw`^\W*(?:(?:and|but|so|also|please)\s+)*(?:(?:${refusing})\b|no (?:[\w-]+ ){0,4}[\w-]+\W*$)`,
  'i',
)

const unwanted = [
  String.raw`(?:is|are|was|were) (?:of )?no (?:concern|interest|use|importance|matter|business)`,
  String.raw`(?:(?:is|are) not|isn't|aren't) (?:needed|wanted|necessary|required|of interest|important|relevant|asked for)`,
  String.raw`(?:does not|doesn't|do not|don't) (?:matter|interest (?:me|us)|concern (?:me|us))`,
  String.raw`(?:can|may) (?:wait|be (?:left out|skipped|omitted|ignored))`,
  String.raw`(?:is|are|seems?) (?:unnecessary|irrelevant|superfluous|beside the point)`,
  String.raw`(?:i|we)(?:'ve| have)? already(?: (?:have|know|got|seen|did|done|checked|looked at))?|aside`,
].join('|')
const isUnwanted = new RegExp(String.raw`\b(?:${unwanted})\W*$`, 'i')

/** What was done before is not asked for again: `I've already seen the floor`, `we audited it yesterday`. */
const known = new RegExp(
  String.raw`^\W*(?:i|we)(?:'ve| have| had)?\s+(?:already\b|(?:know|knew|have|had|saw|seen|did|got|checked|scanned|audited|read|looked)\b.*\b(?:already|yesterday|last (?:week|night|month))\W*$)`,
  'i',
)

const refusedRest =
  /\b(?:instead of|rather than|not (?:the|its|a|an|about|on|my|their|any|who|what)\b|without(?! paying)|except(?: for)?|excluding|leaving out|other than|ignoring|skipping)\b.*$/i

/** Whether a clause only says what is not wanted. */
export function isRefusal(clause: string): boolean {
  return refuses.test(clause) || isUnwanted.test(clause) || known.test(clause)
}

/** A clause without the end of it that says what is not wanted. */
export function withoutRefused(clause: string): string {
  return clause.replace(refusedRest, '')
}
