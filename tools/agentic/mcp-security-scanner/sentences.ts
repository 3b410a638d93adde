/** Longest piece that a pattern ever sees; longer sentences are read in pieces that overlap. */
const pieceLength = 480
const overlap = 80

/** Splits a text into sentences and list items; line breaks inside a sentence become blanks. */
export function sentencesOf(text: string): readonly string[] {
  const found: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    if (!endsHere(text, at)) continue
    push(found, text.slice(start, at + 1))
    start = at + 1
  }
  push(found, text.slice(start))
  return found
}

// What stands before an example belongs to it: "Finds threats, e.g. …".
const shortened = /(?:^|[^a-z])(?:e\.g|i\.e|vs|cf|incl)\.$/i

function endsHere(text: string, at: number): boolean {
  const letter = text[at]
  if (letter === '。' || letter === '！' || letter === '？' || letter === '؟') return true
  const next = text[at + 1]
  if (letter === '.' || letter === '!' || letter === '?') {
    if (next !== undefined && next !== ' ' && next !== '\n') return false
    return letter !== '.' || next === undefined || !shortened.test(text.slice(Math.max(0, at - 5), at + 1))
  }
  if (letter !== '\n') return false
  if (next === '\n') return true
  const rest = text.slice(at + 1, at + 24).trimStart()
  return rest === '' || /^(?:[-*•#>|<[]|\d{1,2}[.)]|[a-z_]{1,20}:|args|returns)/i.test(rest)
}

function push(found: string[], raw: string): void {
  const sentence = raw.replace(/\s+/g, ' ').trim()
  if (sentence.length < 3) return
  if (sentence.length <= pieceLength) {
    found.push(sentence)
    return
  }
  for (let from = 0; from < sentence.length; from += pieceLength - overlap) {
    found.push(sentence.slice(from, from + pieceLength))
    if (from + pieceLength >= sentence.length) return
  }
}
