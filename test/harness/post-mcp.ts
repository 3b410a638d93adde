import { paths } from '../../src/tool/urls.ts'

/** One call of a tool over MCP, sent by hand so that every header can be chosen; returns the text of the answer. */
export async function postToolCall(
  url: string,
  params: { readonly name: string; readonly arguments: unknown; readonly _meta: Readonly<Record<string, unknown>> },
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await fetch(url + paths.mcp, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  return answer.text()
}
