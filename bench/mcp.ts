/**
 * What a request to the MCP endpoint costs, next to the pattern of the SDK's documentation: an `McpServer` with every
 * tool registered, made anew for each request. Both serve the same tools from a process of their own, in turns.
 *
 *     node bench/mcp.ts [requests per round]
 *     node bench/mcp.ts --json  the rows as lines of JSON
 *
 * Ends with 1 when `tools/list` is not at least twice as cheap, or `tools/call` costs more, in CPU time of the server.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request as httpRequest, type RequestListener } from 'node:http'

import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

import { remoteMcpTools } from '../src/describe/mcp-tools.ts'
import { systemClock } from '../src/platform/clock.ts'
import { parseConfig } from '../src/platform/config.ts'
import { noFailpoints } from '../src/platform/failpoint.ts'
import { silentLog } from '../src/platform/log.ts'
import { randomPrefix } from '../src/platform/request-id.ts'
import { defineTool, type Tool } from '../src/tool/tool.ts'
import { describeConfig } from '../test/harness/describe-config.ts'
import { testTool } from '../test/harness/test-tool.ts'
import { loadTools } from '../tools/load.ts'
import { createLocalServer } from '../src/server/local.ts'
import { createMcpEndpoint } from '../transports/mcp/endpoint.ts'
import { instructionsOf } from '../transports/mcp/instructions.ts'
import { promptsOf } from '../transports/mcp/prompts.ts'
import { localResources } from '../transports/mcp/resources.ts'
import { createMcpServer, localCaller, type McpFace } from '../transports/mcp/server.ts'
import { createShortcut } from '../transports/mcp/shortcut.ts'
import { report, type Row } from './support/table.ts'

/** A tool that does next to nothing, so that what is measured is the way to it and back. */
const echo = defineTool({
  ...testTool,
  slug: 'echo',
  name: 'Echo',
  family: 'agentic',
  category: 'bench',
  description: 'Says again what it was told.',
  input: z.strictObject({ say: z.string() }),
  output: z.strictObject({ said: z.string(), at: z.string() }),
  examples: [],
  run: ({ say }, { now }) => ({ said: say, at: now().toISOString() }),
})

const [role, wanted] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const asJson = process.argv.includes('--json')
if (role === 'server') await serve(wanted === 'ours' ? ours : theirs)
else await measure(Number(role ?? '300'))

async function ours(tools: readonly Tool[]): Promise<RequestListener> {
  const local = createLocalServer({
    config: parseConfig({}),
    tools,
    clock: systemClock,
    log: silentLog,
    failpoint: noFailpoints,
    fetch,
  })
  const face: McpFace = {
    toolList: local.toolList,
    listed: remoteMcpTools(local.toolList.all, describeConfig),
    resources: localResources(local.toolList),
    prompts: promptsOf(local.toolList.all),
    call: local.call,
    instructions: instructionsOf(local.toolList.agentic, true),
    newRequestId: randomPrefix(),
  }
  return createMcpEndpoint({
    baseUrl: 'http://127.0.0.1',
    createServer: () => createMcpServer(face, localCaller),
    shortcut: createShortcut(face, () => localCaller),
    log: silentLog,
  }).handle
}

async function theirs(tools: readonly Tool[]): Promise<RequestListener> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'anchor', version: '1.0.0' })
    for (const tool of tools) {
      server.registerTool(
        tool.slug,
        {
          title: tool.name,
          description: tool.description,
          inputSchema: tool.input,
          outputSchema: tool.output,
        },
        async (input) => {
          const { say } = z.object({ say: z.string() }).parse(input)
          const answer = { said: say, at: new Date().toISOString() }
          return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
        },
      )
    }
    return server
  })
  const listener = toNodeHandler(handler)
  return (request, response) => {
    void listener(Object.assign(request, { method: request.method ?? 'GET', url: request.url ?? '/' }), response)
  }
}

/** The process under load: says its port, and on demand how much CPU it has used. */
async function serve(make: (tools: readonly Tool[]) => Promise<RequestListener>): Promise<void> {
  const server = createServer(await make([...(await loadTools()), echo]))
  process.on('message', () => process.send?.(process.cpuUsage()))
  process.on('disconnect', () => process.exit())
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' ? address?.port : undefined)
  })
}

type Subject = {
  readonly port: number
  /** Microseconds of CPU that the process has used. */
  readonly cpu: () => Promise<number>
  readonly stop: () => void
}

async function start(name: 'ours' | 'theirs'): Promise<Subject> {
  const child = fork(import.meta.filename, ['server', name], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [port] = z.tuple([z.number()]).parse((await once(child, 'message')).slice(0, 1))
  return {
    port,
    cpu: async () => {
      const answer = once(child, 'message')
      child.send('cpu')
      const { user, system } = z.object({ user: z.number(), system: z.number() }).parse((await answer)[0])
      return user + system
    },
    stop: () => child.disconnect(),
  }
}

type Load = { readonly name: string; readonly body: string; readonly headers: Readonly<Record<string, string>> }

async function measure(requests: number): Promise<void> {
  const rounds = 7
  const subjects = { ours: await start('ours'), theirs: await start('theirs') }
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const rows: Row[] = []
  let failed = false
  if (!asJson)
    console.log(`CPU of the server in µs a request; median of ${rounds} rounds of ${requests}, Node ${process.version}`)
  if (!asJson) console.log('request              revision     ours   McpServer   ratio   wanted')
  try {
    for (const { load, atMost } of loads()) {
      const costs: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] }
      for (let round = -1; round < rounds; round += 1) {
        for (const name of ['ours', 'theirs'] as const) {
          const subject = subjects[name]
          const before = await subject.cpu()
          await Promise.all(
            Array.from({ length: 4 }, async () => {
              for (let index = 0; index < requests / 4; index += 1) await post(agent, subject.port, load)
            }),
          )
          // The first round of each only warms up.
          if (round >= 0) costs[name].push(((await subject.cpu()) - before) / requests)
        }
      }
      const [one, other] = [median(costs.ours), median(costs.theirs)]
      const ratio = one / other
      if (atMost !== undefined && ratio > atMost) failed = true
      rows.push({
        what: `MCP over HTTP: ${load.name}`,
        ours: `${one.toFixed(0)} µs`,
        theirs: `${other.toFixed(0)} µs`,
        ratio,
        goal: atMost === undefined ? '' : `≤ ${atMost}`,
        reached: atMost === undefined || ratio <= atMost,
      })
      if (asJson) continue
      const [method = '', revision = ''] = load.name.split(' ')
      console.log(
        [
          method.padEnd(20),
          revision.padEnd(10),
          one.toFixed(0).padStart(6),
          other.toFixed(0).padStart(11),
          ratio.toFixed(2).padStart(7),
          atMost === undefined ? '' : `  ≤ ${atMost}`,
        ].join(' '),
      )
    }
  } finally {
    agent.destroy()
    subjects.ours.stop()
    subjects.theirs.stop()
  }
  if (asJson) report(rows)
  if (failed) process.exitCode = 1
}

function loads(): readonly { readonly load: Load; readonly atMost: number }[] {
  const call = { name: 'echo', arguments: { say: 'hello' } }
  const envelope = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    },
  }
  const rpc = (method: string, params: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headersOf = (method: string): Record<string, string> => ({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(method === 'tools/call' ? { 'mcp-name': 'echo' } : {}),
  })
  const old = { 'mcp-protocol-version': '2025-11-25' }
  return [
    { load: { name: 'tools/list 2025-11-25', body: rpc('tools/list', {}), headers: old }, atMost: 0.5 },
    { load: { name: 'tools/call 2025-11-25', body: rpc('tools/call', call), headers: old }, atMost: 1 },
    {
      load: { name: 'tools/list 2026-07-28', body: rpc('tools/list', envelope), headers: headersOf('tools/list') },
      atMost: 0.5,
    },
    {
      load: {
        name: 'tools/call 2026-07-28',
        body: rpc('tools/call', { ...call, ...envelope }),
        headers: headersOf('tools/call'),
      },
      atMost: 1,
    },
  ]
}

function post(agent: Agent, port: number, { body, headers }: Load): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        agent,
        port,
        host: '127.0.0.1',
        path: '/mcp',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          if (text.length < 4_096) text += chunk.toString('utf8')
        })
        response.on('end', () => {
          if (response.statusCode === 200 && text.includes('"result":') && !text.includes('"isError":true')) resolve()
          else reject(new Error(`Answered ${response.statusCode}: ${text.slice(0, 300)}`))
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
