/** Where the document of a tool is, among the resources of the MCP server. */
export const toolUriTemplate = 'agentic://tools/{slug}'

export function toolUriOf(slug: string): string {
  return toolUriTemplate.replace('{slug}', slug)
}
