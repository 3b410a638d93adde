import { type Fault, fail, scored, warn } from './fault.ts'
import type { Seen } from './seen.ts'

/** Smithery, which scans the tools and orders servers by how much these say of themselves. */
export function smitheryFaults({ mcp, card }: Seen): readonly Fault[] {
  if (mcp.fault !== undefined) {
    return card?.status === 200
      ? [warn(`${mcp.url}: ${mcp.fault}`, 'Its scan fails; the server card is what it reads instead.')]
      : [fail(`${mcp.url}: ${mcp.fault}`, 'Its scan fails, and there is no server card to read instead.')]
  }
  const { tools } = mcp
  return [
    ...scored(tools, ({ description }) => (description ?? '') === '', 'have no description'),
    ...scored(tools, ({ annotations }) => annotations === undefined, 'have no annotations'),
    ...scored(tools, ({ outputSchema }) => outputSchema === undefined, 'have no output schema'),
  ]
}
