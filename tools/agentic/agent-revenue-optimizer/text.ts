/**
 * Characters that people do not see and models read: controls, direction marks, joiners, tags, fillers, variation
 * selectors.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu

/** Third-party text as it may be shown: one line, nothing unseen, at most `maxLength` long. */
export function shown(text: string, maxLength: number): string {
  const visible = text.replace(/\s+/g, ' ').replace(unseen, '')
  if (visible.length <= maxLength) return visible
  return `${visible.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Any value the audited host sent, as evidence quotes it: short, and plainly a quotation. */
export function quoted(value: unknown): string {
  if (value === undefined) return 'absent'
  return typeof value === 'string' ? `"${shown(value, 80)}"` : shown(JSON.stringify(value), 80)
}
