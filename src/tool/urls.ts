import type { Tool } from './tool.ts'

/** Where every document and tool of the paid family lives. */
export const agenticPath = '/api/agentic'

type Listed = Pick<Tool, 'family' | 'slug'>

/** Path of the address a tool is called at. */
export function endpointPathOf({ family, slug }: Listed): string {
  return family === 'agentic' ? `${agenticPath}/tools/${slug}` : `/api/tools/${slug}`
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
