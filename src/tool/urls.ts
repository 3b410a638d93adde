import type { Tool } from './tool.ts'

/** Where every document and tool of the paid family lives. */
export const agenticPath = '/api/agentic'

type Listed = Pick<Tool, 'family' | 'slug'>

/** Address a tool is called at. */
export function endpointOf({ family, slug }: Listed, baseUrl: string): string {
  return family === 'agentic' ? `${baseUrl}${agenticPath}/tools/${slug}` : `${baseUrl}/api/tools/${slug}`
}

/** Address of the document that describes one tool. */
export function manifestUrlOf({ family, slug }: Listed, baseUrl: string): string {
  return family === 'agentic'
    ? `${baseUrl}/.well-known/agentic/tools/${slug}.json`
    : `${baseUrl}/.well-known/ai-tool/${slug}.json`
}
