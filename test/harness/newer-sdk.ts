/** How a client of the newer MCP SDK negotiates the protocol's revision: title, setting, and the revision agreed on. */
export const newerSdkModes = [
  ['the handshake of 2025', 'legacy', '2025-11-25'],
  ['finding out by itself', 'auto', '2026-07-28'],
  ['only the revision of 2026', { pin: '2026-07-28' }, '2026-07-28'],
] as const
