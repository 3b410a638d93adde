/** What the package says of itself; a test holds these equal to package.json and server.json. */
export const packageInfo = {
  name: 'tollgate',
  version: '0.1.16',
  serverName: 'Tollgate',
  mcpName: 'io.github.tollgate-tools/tollgate',
  smitheryName: 'tollgate-tools/tollgate',
  repository: 'https://github.com/tollgate-tools/tollgate',
} as const
