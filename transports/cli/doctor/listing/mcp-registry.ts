import { type Fault, fail, warn } from './fault.ts'
import { cardShape, firstIssue, type Seen } from './seen.ts'

/** The registry of MCP servers, whose entry is made from the same facts as the server card. */
export function registryFaults({ card, mcp }: Seen): readonly Fault[] {
  const faults: Fault[] = []
  const shape = cardShape.safeParse(card?.json)
  if (!shape.success)
    faults.push(
      warn(
        `the server card: ${firstIssue(shape.error)}`,
        'The entry is made from server.json; the card says the same.',
      ),
    )
  else if (shape.data.description.length > 100)
    faults.push(fail('the description is longer than 100 characters', 'Shorten it.'))
  if (mcp.fault !== undefined)
    faults.push(fail(`${mcp.url}: ${mcp.fault}`, 'A remote that does not answer is not listed.'))
  return faults
}
