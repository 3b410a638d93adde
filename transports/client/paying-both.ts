import type { PayingFetch } from './exchange.ts'
import { createHttpPaying, type PayingParts } from './paying.ts'
import { createPayingMcp, type PayingMcp } from './paying-mcp.ts'

export type Paying = { readonly payFetch: PayingFetch; readonly payMcp: PayingMcp }

/** Both ways to pay over one spender. Apart from the way by HTTP, because the library has no use for the other. */
export function createPaying(parts: PayingParts): Paying {
  const { payFetch, ...means } = createHttpPaying(parts)
  return { payFetch, payMcp: createPayingMcp({ ...means, clock: parts.clock }) }
}
