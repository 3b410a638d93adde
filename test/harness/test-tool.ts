/** What a tool of a test says where it does not matter; spread into `defineTool`. */
export const testTool = {
  version: '1.0.0',
  description: 'Call it in tests only.',
  tags: [],
  access: { mode: 'free' },
  latencySlaMs: 1_000,
  freshness: { mode: 'static' },
  sources: [],
} as const
