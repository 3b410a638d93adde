/**
 * Cuts a text into the units that the table of meaning has rows for: words in lower case and, for what no list of words
 * can hold, the kind of thing it is. The table was fitted on exactly these, so a change here needs a new table.
 */

// The order matters: an address holds dots and letters that would be read as words.
// Most texts have none of them, so each is looked for only where a letter stands that it cannot do without.
const kinds: readonly (readonly [needed: string, RegExp, string])[] = [
  ['://', /\b[a-z][a-z0-9+.-]{1,12}:\/\/[^\s"'`<>)\]]+/gi, ' @link '],
  ['@', /[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{2,20})+/g, ' @mail '],
  ['0', /\b0x[0-9a-f]{6,}\b/gi, ' @address '],
  ['/', /(?:~|\.{1,2})?(?:\/[\w.*@$-]+){2,}\/?|~\/[\w.-]+/g, ' @path '],
]

const unit = /@(?:link|mail|address|path)|\p{L}[\p{L}\p{M}]*(?:'\p{L}{1,3})?|\d[\d.,:%]*|\?/gu

/** The units of a text in their order; `readFile` and `read_file` are both the two words `read file`. */
export function unitsOf(text: string): readonly string[] {
  let plain = text.normalize('NFKC').replace(/[’ʼ]/g, "'")
  for (const [needed, pattern, kind] of kinds) if (plain.includes(needed)) plain = plain.replace(pattern, kind)
  const apart = plain.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/_/g, ' ')
  return (apart.toLowerCase().match(unit) ?? []).map((one) => (/^\d/.test(one) ? '#' : one))
}

/** A 32-bit number for a unit, or for two units with a space between them: FNV-1a over UTF-16, well mixed. */
export function keyOf(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 12)) >>> 0
}
