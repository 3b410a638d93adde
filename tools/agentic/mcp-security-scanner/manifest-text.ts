/**
 * Reads a manifest as editors write it: JSON that may have comments, trailing commas and a byte order mark.
 * @throws SyntaxError when it is not JSON even so.
 */
export function parseManifestText(text: string): unknown {
  const bare = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(bare)
  } catch (error) {
    const plain = withoutComments(bare)
    // The first error speaks of the text as it is, which is what its author can look at.
    if (plain === bare) throw error
    return JSON.parse(plain)
  }
}

function withoutComments(text: string): string {
  let kept = ''
  let at = 0
  while (at < text.length) {
    const pair = text.slice(at, at + 2)
    if (text[at] === '"') {
      const end = endOfString(text, at)
      kept += text.slice(at, end)
      at = end
    } else if (pair === '//') at = positionOr(text.indexOf('\n', at), text.length)
    else if (pair === '/*') at = positionOr(text.indexOf('*/', at + 2) + 2, text.length, 1)
    else if (text[at] === ',' && /^,(?:\s|\/\/[^\n]*\n|\/\*[^*]*\*\/){0,400}[}\]]/.test(text.slice(at, at + 4_000)))
      at += 1
    else {
      kept += text[at]
      at += 1
    }
  }
  return kept
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function positionOr(position: number, fallback: number, missing = -1): number {
  return position === missing ? fallback : position
}
