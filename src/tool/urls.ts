import type { Tool } from './tool.ts'

/** Where every document and tool of the paid family lives. */
export const agenticPath = '/api/agentic'

/** Paths of the server beside its tools, in one place for routes, documents and messages. */
export const paths = {
  manifest: `${agenticPath}/manifest`,
  wellKnownManifest: '/.well-known/agentic/manifest.json',
  openapi: `${agenticPath}/openapi.json`,
  rootOpenapi: '/openapi.json',
  llms: '/llms.txt',
  agenticLlms: `${agenticPath}/llms.txt`,
  health: `${agenticPath}/health`,
  ready: '/ready',
  agenticReady: `${agenticPath}/ready`,
  agenticTools: `${agenticPath}/tools`,
  payments: `${agenticPath}/payments`,
  balance: `${agenticPath}/balance`,
  sessions: `${agenticPath}/balance/session`,
  draws: `${agenticPath}/balance/draws`,
  mcp: `${agenticPath}/mcp`,
  serverCard: `${agenticPath}/mcp/server-card`,
  siteMcp: '/api/mcp',
  siteTools: '/api/tools',
} as const

type Listed = Pick<Tool, 'family' | 'slug'>

/** Path of the address a tool is called at. */
export function endpointPathOf({ family, slug }: Listed): string {
  return family === 'agentic' ? `${paths.agenticTools}/${slug}` : `${paths.siteTools}/${slug}`
}

/** Address a tool is called at. */
export function endpointOf(tool: Listed, baseUrl: string): string {
  return `${baseUrl}${endpointPathOf(tool)}`
}

/** Address of the document that describes one tool. */
export function manifestUrlOf({ family, slug }: Listed, baseUrl: string): string {
  return family === 'agentic'
    ? `${baseUrl}/.well-known/agentic/tools/${slug}.json`
    : `${baseUrl}/.well-known/ai-tool/${slug}.json`
}

/** Address where a payer finds the answer to a call that was drawn from a balance. */
export function drawUrlOf(id: string, baseUrl: string): string {
  return `${baseUrl}${paths.draws}/${id}`
}

/** Address where a payer finds what became of a payment. */
export function paymentUrlOf(id: string, baseUrl: string): string {
  return `${baseUrl}${paths.payments}/${id}`
}
