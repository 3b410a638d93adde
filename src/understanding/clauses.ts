/** A part of the goal; everything of a lower stage comes before it. */
export type Clause = { readonly text: string; readonly stage: number; readonly joint: Joint }

/** How a clause hangs on the one before it. */
export type Joint = 'and' | 'pause' | 'later' | 'condition' | 'before' | 'after'

// Runs of punctuation, joining words and order words; a run of spaces alone is no joint.
const joints =
  /(?:[;,→&]|\s[-–—]\s|[.?!:](?=\s|$)|->|=>|\b(?:and|n|plus|as well as|also|but|then|followed by|after that|afterwards|finally|lastly|before|after|if|once|unless)\b|\s)+/gi
const opening = /^\W*(?:first\W+)?(before|after|if|once|unless)\b/i
// `Before launching check which grants are open` has no comma; the first imperative ends its opening.
const verbs =
  'check|show|find|list|scan|audit|resolve|look|get|give|tell|see|run|fetch|compare|value|profile|plan|inspect'
const imperative = new RegExp(String.raw`^([^,;]*?(?<!\b(?:the|a|an|my|our|its))\s)(${verbs})\b`, 'i')
const condition = new RegExp(
  String.raw`(\b(?:if|once|unless|when)\s[^,;.]*?(?<!\b(?:the|a|an|my|our|its|to|me|and|then|i|you|we))\s)(${verbs})\b`,
  'gi',
)

// `Tell me if it is safe` is a question, and its `if` no condition.
const asking =
  /\b(tell me|see|check|know|find out|ask|verify|determine|figure out|say|show me|sure|learn|confirm|understand|asking|asked|wondering|curious|idea|matter) if\b/gi

const thenWords = [
  'once done|next up|thereafter|after which|and only then|only then|subsequently|later on|to finish|in the end',
  'to round off|to top it off',
].join('|')

/** Other words for the same order. */
const sameOrder: readonly (readonly [RegExp, string])[] = [
  [/\b(?:prior to|ahead of(?= \w+ing\b)|previous to)\b/gi, 'before'],
  [/\b(?:subsequent to|right after|straight after|just after)\b/gi, 'after'],
  [
    new RegExp(
      String.raw`\b(?:${thenWords}|(?:when|once|after) (?:that|this|it)(?: is|'s) (?:done|known|clear|settled),?)\b`,
      'gi',
    ),
    'then',
  ],
]
/** Said inside a clause: that it comes before or after all the others. */
const isFirst =
  /^\W*first\b|\b(?:first of all|to begin with|to start with|for starters|before anything else|(?:come|go)(?:es|s)? first)\b/i
const isLast = /\b(?:last of all|at the very end|as the last (?:step|thing)|(?:come|go)(?:es|s)? last)\b/i

/** Cuts a goal at its joints and reads the order its words ask for: `then`, `before`, `after`, `if`. */
export function clausesOf(sentence: string): readonly Clause[] {
  const goal = sameOrder.reduce(
    (text, [words, word]) => text.replace(words, word),
    sentence.replace(asking, '$1 whether'),
  )
  const opener = opening.exec(goal)
  const body =
    opener === null ? goal.replace(condition, '$1, $2') : goal.slice(opener[0].length).replace(imperative, '$1, $2')
  // In `after a, b` the comma says where the other half begins, and the opening word which half is first.
  let turn = opener === null ? 0 : opener[1]?.toLowerCase() === 'before' ? -1 : 1
  let stage = 0
  let latest = 0
  const clauses = partsOf(body).map(({ text, joint }) => {
    if (joint === 'later') stage = latest + 1
    if (joint === 'condition' || joint === 'before') stage += 1
    if (joint === 'after') stage -= 1
    if (joint === 'pause') stage += turn
    if (joint !== 'and') turn = 0
    latest = Math.max(latest, stage)
    return { text, stage, joint }
  })
  const stages = clauses.map((clause) => clause.stage)
  return clauses.map((clause) => {
    if (isFirst.test(clause.text)) return { ...clause, stage: Math.min(...stages) - 1 }
    return isLast.test(clause.text) ? { ...clause, stage: Math.max(...stages) + 1 } : clause
  })
}

function partsOf(text: string): readonly { readonly text: string; readonly joint: Joint }[] {
  const found = [...text.matchAll(joints)].filter(([run]) => run.trim() !== '')
  const ends = [...found.map(({ index }) => index), text.length]
  const starts = [0, ...found.map((match) => match.index + match[0].length)]
  return starts
    .map((start, index) => ({ text: text.slice(start, ends[index]), joint: jointOf(found[index - 1]?.[0] ?? '&') }))
    .filter((part) => part.text.trim() !== '')
}

function jointOf(run: string): Joint {
  const lower = run.toLowerCase().trim()
  if (/then|followed|after that|afterwards|finally|lastly|->|=>|→/.test(lower)) return 'later'
  if (lower.includes('before')) return 'before'
  if (lower.includes('after')) return 'after'
  // `a if b` asks for b first; `a, if b …` and `a and if b …` look at what a gave.
  if (/if|once|unless/.test(lower)) return /^(if|once|unless)$/.test(lower) ? 'after' : 'condition'
  return /[;,.?!:–—-]/.test(lower) ? 'pause' : 'and'
}
