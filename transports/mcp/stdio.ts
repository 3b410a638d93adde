import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'

import { localMcpTools } from '../../src/describe/mcp-tools.ts'
import { randomPrefix } from '../../src/platform/request-id.ts'
import { createLocalHouse, type HouseParts } from '../house.ts'
import { instructionsOf } from './instructions.ts'
import { createMcpServer } from './server.ts'

/** Serves one MCP client over stdin and stdout until stdin ends or the parent goes. Gives the exit code. */
export async function runStdio(parts: HouseParts): Promise<number> {
  const house = createLocalHouse(parts)
  const listed = localMcpTools(house.registry.all)
  const instructions = instructionsOf(house.registry, false)
  const newRequestId = randomPrefix()
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    process.stdout.once('error', () => resolve())
    process.once('disconnect', resolve)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  serveStdio(
    () => createMcpServer({ registry: house.registry, listed, call: house.call, instructions, newRequestId, ip: '' }),
    {
      transport: new StdioServerTransport(process.stdin, process.stdout),
      onerror: (error) => parts.log.warn('mcp.error', { message: error.message }),
    },
  )
  await ended
  return 0
}
