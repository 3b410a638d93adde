/** How a tool of a plan is called. */
export const protocols = ['x402', 'mcp', 'a2a', 'rest'] as const
export type Protocol = (typeof protocols)[number]
