/** What a text of JSON says; undefined where it is none, which fits no schema either. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
