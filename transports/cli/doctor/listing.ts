import type { Finding } from './operator.ts'
import { bazaarFaults } from './listing/bazaar.ts'
import { type Fault, warn } from './listing/fault.ts'
import { glamaFaults } from './listing/glama.ts'
import { indexFaults } from './listing/index402.ts'
import { registryFaults } from './listing/mcp-registry.ts'
import { mppxFaults } from './listing/mppx.ts'
import { originFaults } from './listing/origin.ts'
import { lookAround, type Seen } from './listing/seen.ts'
import { smitheryFaults } from './listing/smithery.ts'

/**
 * Asks a server what the directories of paid tools and of MCP servers ask it, and says of each what keeps the server
 * out. It replays their questions as they were published; being listed is theirs to decide, and some of them want a
 * form sent in or a first payment.
 *
 * @param base address of the server, without a path
 */
export async function examineListing(base: string): Promise<readonly Finding[]> {
  const seen = await lookAround(new URL(base))
  return [
    addressFinding(seen),
    ...merge('x402scan and agentcash', originFaults(seen), `${seen.terms.size} paid operations can be registered`),
    ...merge(
      'Bazaar',
      bazaarFaults(seen),
      'terms say what goes in; listed after the first payment through its facilitator',
    ),
    ...merge('mppx validate', mppxFaults(seen), 'the description and the 402s hold'),
    ...merge('402index', await indexFaults(seen), 'the claim is there'),
    ...merge('MCP Registry', registryFaults(seen), `the card names ${seen.mcp.url}, which answers`),
    ...merge('Smithery', smitheryFaults(seen), `${seen.mcp.tools.length} tools are scanned`),
    ...merge('Glama', await glamaFaults(seen), 'the connector names who maintains it'),
  ]
}

/** What is wrong for a directory, or that nothing is. */
function merge(check: string, faults: readonly Fault[], fine: string): readonly Finding[] {
  if (faults.length === 0) return [{ check, status: 'ok', found: fine }]
  return faults.map((fault) => ({ check, ...fault }))
}

function addressFinding({ base }: Seen): Finding {
  const check = 'address'
  if (base.protocol !== 'https:') {
    return { check, ...warn(`${base.origin} is not https`, 'No directory lists an address without https.') }
  }
  return { check, status: 'ok', found: base.origin }
}
