/**
 * How a client of the newer MCP SDK finds out the revision of the protocol: its words, its setting, what comes of it.
 */
export const newerSdkModes = [
  ['the handshake of 2025', 'legacy', '2025-11-25'],
  ['finding out by itself', 'auto', '2026-07-28'],
  ['only the revision of 2026', { pin: '2026-07-28' }, '2026-07-28'],
] as const
