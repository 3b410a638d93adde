const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const month = String.raw`(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`
const year = String.raw`(?<year>\d{4})`
const day = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`
const clock = String.raw`(?:[T\s,]+(?:at\s+)?(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?\s*(?<zone>z\b|utc\b|gmt\b|[+-]\d{2}:?\d{2})?)?`
/** A day as ISO 8601 writes it, or with the month in words; what `03/04/2026` means depends on who wrote it. */
const forms = [
  String.raw`(?<![\d-])${year}-(?<numeral>\d{2})-(?<day>\d{2})(?![\d-])${clock}`,
  String.raw`\b${day}\s+(?:of\s+)?${month},?\s+${year}\b${clock}`,
  String.raw`\b${month}\s+${day},?\s+${year}\b${clock}`,
].map((form) => new RegExp(form, 'i'))

/**
 * The first moment that a text names, in UTC unless it says another zone: an ISO 8601 date-time, or its day where
 * `isDay`; undefined where it names none, or one that no calendar has.
 */
export function momentIn(text: string, isDay: boolean): string | undefined {
  const said = forms.map((form) => form.exec(text)).filter((found) => found !== null)
  const [first] = said.toSorted((a, b) => a.index - b.index)
  if (first?.groups === undefined) return undefined
  const { groups } = first
  const named = monthNames.indexOf((groups['month'] ?? '').toLowerCase())
  const date = [
    groups['year'] ?? '',
    groups['numeral'] ?? String(named + 1).padStart(2, '0'),
    (groups['day'] ?? '').padStart(2, '0'),
  ].join('-')
  const zone = (groups['zone'] ?? 'Z')
    .toUpperCase()
    .replace(/^(?:UTC|GMT)$/, 'Z')
    .replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const time = `${(groups['hour'] ?? '00').padStart(2, '0')}:${groups['minute'] ?? '00'}:${groups['second'] ?? '00'}`
  // A calendar that goes on counting would make the 2nd of March of a 30th of February.
  if (Number.isNaN(Date.parse(`${date}T00:00:00Z`)) || !new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)) {
    return undefined
  }
  const moment = new Date(`${date}T${time}${zone}`)
  if (Number.isNaN(moment.getTime())) return undefined
  return isDay ? date : moment.toISOString().replace('.000Z', 'Z')
}
