/** What a client of 2026-07-28 says that it can, with each of its requests; undefined where it says nothing. */
export function capabilitiesOf(envelope: unknown): unknown {
  if (typeof envelope !== 'object' || envelope === null) return undefined
  const said = Object.entries(envelope)
  const find = (name: string): unknown => said.find(([one]) => one === name)?.[1]
  return find('io.modelcontextprotocol/clientCapabilities') ?? find('clientCapabilities')
}
