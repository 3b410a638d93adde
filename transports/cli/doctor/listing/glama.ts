import { z } from 'zod'

import { type Fault, scored, warn } from './fault.ts'
import { ask, type ListedTool, type Seen } from './seen.ts'

/** Glama, whose connector names who maintains a server. */
export async function glamaFaults({ base, mcp }: Seen): Promise<readonly Fault[]> {
  const answer = await ask(new URL('/.well-known/glama.json', base))
  const shape = z
    .looseObject({ maintainers: z.array(z.looseObject({ email: z.email() })).min(1) })
    .safeParse(answer?.json)
  const faults: Fault[] = []
  if (answer?.status !== 200 || !shape.success) {
    faults.push(
      warn('nobody is named as its maintainer', 'Set TOLLGATE_MAINTAINER_EMAIL; the connector can then be claimed.'),
    )
  }
  return [
    ...faults,
    ...scored(mcp.tools, ({ description }) => (description ?? '').length < 40, 'say too little of themselves'),
    ...scored(mcp.tools, isMute, 'have arguments without a description'),
  ]
}

/** Whether any argument of a tool has no words. */
function isMute({ inputSchema }: ListedTool): boolean {
  return Object.values(inputSchema.properties ?? {}).some(
    (one) => typeof one !== 'object' || one === null || !('description' in one || '$ref' in one),
  )
}
