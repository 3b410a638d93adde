import { NotPaidError } from '../client/errors.ts'
import { createApiRemote, describe } from './api-remote.ts'
import { createMcpRemote, type Remote, type RemoteParts } from './remote.ts'

/**
 * Whatever answers at an address: an MCP server, or an HTTP API that describes itself. Which of both it is is found out
 * when it is first asked; a description is a file of JSON, so an address that ends so is no MCP server.
 */
export function createRemote(parts: RemoteParts): Remote {
  const { url, fetch, hosts } = parts
  let chosen: Remote = /\.json$/i.test(url.pathname) ? createApiRemote(parts) : createMcpRemote(parts)
  let isSure = chosen.url.pathname.endsWith('.json')
  return {
    url,
    list: async (signal) => {
      if (isSure) return chosen.list(signal)
      try {
        const tools = await chosen.list(signal)
        isSure = true
        return tools
      } catch (error) {
        if (error instanceof NotPaidError || signal.aborted) throw error
        const description = await describe(url, fetch, hosts).catch(() => undefined)
        // What it said as an MCP server is what is wrong with it.
        if (description === undefined) throw error
        await chosen.close()
        chosen = createApiRemote({ ...parts, url: description.at })
        isSure = true
        return chosen.list(signal)
      }
    },
    read: (uri, signal) => chosen.read(uri, signal),
    call: (call) => chosen.call(call),
    close: () => chosen.close(),
  }
}
