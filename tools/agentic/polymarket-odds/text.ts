/**
 * Characters that people do not see and models read: controls, direction marks, joiners, tags, fillers, variation
 * selectors.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu

/** Third-party text as it may be shown, else as it was written: one line, nothing unseen, at most `maxLength` long. */
export function shown(text: string, maxLength: number): string {
  const visible = text.replace(/[\t\n\v\f\r\u2028\u2029]+/g, ' ').replace(unseen, '')
  if (visible.length <= maxLength) return visible
  return `${visible.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
