import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

import { InMemoryEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { largestInline, mostPartsInline } from '../../src/access/large-input.ts'
import type { DirectRun } from '../../src/call/run-tool.ts'
import { CallError } from '../../src/errors.ts'
import type { GatedTool, GateListing } from '../../src/gate/listing.ts'
import { openGates } from '../../src/gate/tools.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { parseConfig } from '../../src/platform/config.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createDirectCalls, type DirectCalls } from '../../src/server/gates/direct-calls.ts'
import { createToolThreads, type ToolThreads } from '../../src/server/threads/tool-threads.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { createPooledFetch } from '../../src/upstream/http/dispatcher.ts'
import type { CallSession } from '../../src/upstream/mcp/begun-call.ts'
import { type Loopback, serveLoopback } from '../harness/loopback.ts'
import { answerTo, events, json, officialServer, roughServer } from '../harness/mcp-servers.ts'

/**
 * The same calls of the same servers by the two ways that there are: from the main thread, and by the
 * thread that has the sessions. Whatever a server does, both have to come to the same answer, or the same failure.
 */
const stuckMs = 1_000
const pool = createPooledFetch()
const official = {
  events: officialServer(),
  json: officialServer({ enableJsonResponse: true }),
  resumed: officialServer({ eventStore: new InMemoryEventStore(), retryInterval: 10 }),
}

type Answer = (response: ServerResponse, id: unknown) => void
let isOpen: ServerResponse | undefined
let sent = 0
const status = { current: 200 }
const text =
  (words: string): Answer =>
  (response, id) =>
    response.writeHead(200, json).end(answerTo(id, words))
const structured =
  (value: string): Answer =>
  (response, id) =>
    response
      .writeHead(200, json)
      .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${value}}}`)

/** What a server can do with a call, by the name of the tool that it does it for. */
const tricks: Readonly<Record<string, Answer>> = {
  plain: text('ä€😀'),
  packed: (response, id) =>
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(answerTo(id, 'packed'))),
  elsewhere: (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
  refused: (response) => response.writeHead(403, json).end('{"error":"not you"}'),
  page: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  batch: (response, id) => response.writeHead(200, json).end(`[${answerTo(id, 'one of several')}]`),
  broken: (response) => response.writeHead(200, json).end('{"jsonrpc":'),
  another: (response) => response.writeHead(200, json).end(answerTo('another', 'for somebody else')),
  resultless: (response, id) =>
    response.writeHead(200, json).end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":7}`),
  contentless: (response, id) =>
    response.writeHead(200, json).end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":7}}`),
  dead: (response) => response.destroy(),
  cut: (response, id) => {
    response.writeHead(200, { ...json, 'content-length': '1000' })
    response.write(answerTo(id, 'cut'), () => response.destroy())
  },
  ended: (response) => response.writeHead(200, events).end(': nothing\n\n'),
  telling: (response, id) =>
    response
      .writeHead(200, events)
      .end(
        `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n\ndata: ${answerTo(id, 'after all')}\n\n`,
      ),
  named: (response, id) =>
    response
      .writeHead(200, events)
      .end(`id: 1\nretry: 10\ndata:\n\nevent: message\nid: 2\ndata: ${answerTo(id, 'named')}\n\n`),
  dripping: (response, id) => {
    response.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' })
    const bytes = Buffer.from(`: hello\r\nevent: other\ndata: {}\n\ndata: ${answerTo(id, 'ä€😀')}\n\n`)
    const next = (from: number): void => {
      if (from < bytes.length) response.write(bytes.subarray(from, from + 1), () => setImmediate(() => next(from + 1)))
      else response.end()
    }
    next(0)
  },
  early: (response, id) => {
    isOpen = response
    response.writeHead(200, events).write(`data: ${answerTo(id, 'early')}\n\n`)
  },
  chatty: (response, id) => {
    isOpen = response
    response.writeHead(200, events).write(`data: ${answerTo(id, 'first')}\n\n`)
    const more = (): void => {
      sent += 1_000
      if (!response.destroyed && sent < 50_000_000) response.write(`data: ${'x'.repeat(990)}\n\n`, more)
    }
    more()
  },
  long: text('x'.repeat(300_000)),
  huge: text('x'.repeat(1_100_000)),
  endless: (response) => {
    response.writeHead(200, json)
    const piece = Buffer.alloc(1_048_576, '[')
    const more = (): void => {
      sent += piece.length
      if (!response.destroyed && sent < 200 * piece.length) response.write(piece, more)
    }
    more()
  },
  deep: structured(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
  heavy: structured(`{"a":[${'1,'.repeat(900)}1]}`),
  patterned: structured('{"a":"b"}'),
  parts: structured(`{"a":[${'[],'.repeat(3_000)}[]]}`),
  blank: (response, id) =>
    response.writeHead(200, events).end(`${'\n'.repeat(60_000)}data: ${answerTo(id, 'at last')}\n\n`),
  never: () => {},
  stuck: text(`${'a'.repeat(50)}!`),
  changed: (response, id) => text('here')(response, id),
}

const servers: Loopback[] = []
const rough = roughServer((response, id, _request, name) => tricks[name]?.(response, id), status)
const never: GatedTool['failure'] = { text: [], empty: false, present: [] }
const gatedTool = (slug: string, remoteName: string, more: Partial<GatedTool> = {}): GatedTool => ({
  remoteName,
  slug,
  name: slug,
  description: 'Call it in tests only.',
  access: { mode: 'free' },
  timeoutMs: 15_000,
  input: { schema: { type: 'object' }, dialect: '2020-12' },
  output: undefined,
  failure: never,
  examples: [],
  effects: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  ...more,
})
const anyObject: GatedTool['output'] = { schema: { type: 'object' }, dialect: '2020-12' }
const objectWith = (a: unknown): GatedTool['output'] => ({
  schema: { type: 'object', properties: { a } },
  dialect: '2020-12',
})
const moreOf: Readonly<Record<string, Partial<GatedTool>>> = {
  deep: { output: anyObject },
  parts: { output: anyObject },
  heavy: { output: objectWith({ type: 'array', items: { enum: Array.from({ length: 1_500 }, (_, index) => index) } }) },
  patterned: { output: objectWith({ type: 'string', pattern: '^[a-c]+$', format: 'url' }) },
  structured: { output: { schema: { type: 'object', required: ['a'] }, dialect: '2020-12' } },
  say: { failure: { ...never, present: ['/error'] } },
  // An operator may write what takes for ever on what a stranger says.
  stuck: { failure: { ...never, text: ['^(a+)+$'] } },
}

let threads: ToolThreads
let direct: DirectCalls
let tools: ReadonlyMap<string, Tool>
const sessions = new Map<number, CallSession | undefined>()
let handed = 0

async function listingOf(name: string, listener: Parameters<typeof serveLoopback>[0], names: readonly string[]) {
  const server = await serveLoopback(listener)
  servers.push(server)
  const listing: GateListing = {
    file: `${name}.yaml`,
    target: { kind: 'http', url: `${server.url}/mcp`, headers: { 'x-key': 'secret' } },
    tools: names.map((one) => gatedTool(`${name}-${one}`, one, moreOf[one])),
    left: [],
    rest: '',
  }
  return listing
}

beforeAll(async () => {
  const ofOfficial = ['say', 'structured', 'fail', 'refuse', 'chatter', 'poll', 'never']
  const gates = [
    await listingOf('events', official.events.listener, ofOfficial),
    await listingOf('json', official.json.listener, ofOfficial),
    await listingOf('resumed', official.resumed.listener, ofOfficial),
    await listingOf('rough', rough.listener, Object.keys(tricks)),
  ]
  tools = new Map(openGates(gates, { fetch: pool.fetch, clock: systemClock }).tools.map((tool) => [tool.slug, tool]))
  const config = parseConfig({ TOLLGATE_DISABLED_TOOLS: 'built-in' })
  threads = createToolThreads({
    module: new URL('../../transports/tool-thread.ts', import.meta.url),
    data: { config, baseUrl: 'http://test', gates },
    clock: systemClock,
    log: silentLog,
    limits: { stuckMs },
    onSession: (gate, session) => {
      sessions.set(gate, session)
      direct.use(gate, session)
    },
  })
  const goOn: ToolThreads['goOn'] = (...given) => {
    handed += 1
    return threads.goOn(...given)
  }
  direct = createDirectCalls({ gates, post: pool.post, clock: systemClock, thread: () => ({ ...threads, goOn }) })
  threads.open(toolOf('rough-plain'))
  await haveSessions()
}, 120_000)
afterAll(async () => {
  await threads.close()
  await pool.close()
  for (const server of servers) await server.close()
})
afterEach(() => {
  vi.restoreAllMocks()
  isOpen?.destroy()
  isOpen = undefined
  sent = 0
})

const haveSessions = (): Promise<void> =>
  vi.waitFor(() => expect([0, 1, 2, 3].filter((gate) => sessions.get(gate) !== undefined)).toEqual([0, 1, 2, 3]), {
    timeout: 60_000,
  })

function toolOf(slug: string): Tool {
  const tool = tools.get(slug)
  if (tool === undefined) throw new Error(`There is no tool ${slug}.`)
  return tool
}

const outcomeOf = async (run: Promise<Uint8Array> | undefined): Promise<unknown> => {
  try {
    return JSON.parse(Buffer.from((await run) ?? []).toString('utf8'))
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const { code, message, details } = error
    return { code, message, details }
  }
}
const byThread = (slug: string, input: unknown = {}): Promise<unknown> =>
  outcomeOf(threads.runTool({ tool: toolOf(slug), input, entry: 'free', signal: new AbortController().signal }))
const directly = (slug: string, input: unknown = {}, more: Partial<DirectRun> = {}): Promise<unknown> => {
  const caller = new AbortController().signal
  const run = direct.run({ tool: toolOf(slug), input, entry: 'free', caller, budgetMs: 60_000, ...more })
  if (run === undefined) throw new Error(`${slug} cannot be called from here now.`)
  return outcomeOf(run)
}

/** What a call comes to by both ways, and how much of the direct one went to the other thread. */
async function bothWays(slug: string, input?: unknown) {
  const one = await byThread(slug, input)
  await haveSessions()
  const before = handed
  expect(await directly(slug, input)).toEqual(one)
  return { answer: one, isHanded: handed > before }
}

describe.each(['events', 'json', 'resumed'])('an official server that answers with %s', (name) => {
  it('is called without the other thread', async () => {
    for (const tool of ['say', 'structured', 'fail', 'refuse']) {
      const { answer, isHanded } = await bothWays(`${name}-${tool}`, { text: 'ä€😀' })
      expect([answer, isHanded]).toMatchObject([expect.any(Object), false])
    }
    expect(await directly(`${name}-say`, { text: 'ä€😀' })).toEqual({ content: [{ type: 'text', text: 'ä€😀' }] })
    expect(await directly(`${name}-structured`)).toEqual({ a: [1, 'ä€😀'] })
  })

  it('keeps answers apart, and its connections', async () => {
    const words = Array.from({ length: 100 }, (_, index) => `word ${index}`)
    const answers = await Promise.all(words.map((word) => directly(`${name}-say`, { text: word })))
    expect(answers).toEqual(words.map((word) => ({ content: [{ type: 'text', text: word }] })))
  })

  it('begins anew where the server forgot the session, once and for all calls', async () => {
    const { forget, sessions: known } = official[name as keyof typeof official]
    forget()
    const calls = ['b', 'c', 'd'].map((word) => directly(`${name}-say`, { text: word }))
    expect(await Promise.all(calls)).toMatchObject(['b', 'c', 'd'].map((word) => ({ content: [{ text: word }] })))
    expect(known.size).toBe(1)
    await haveSessions()
    expect((await bothWays(`${name}-say`, { text: 'again' })).isHanded).toBe(false)
  })

  it('is told when nobody waits any more', async () => {
    const { cancelled } = official[name as keyof typeof official]
    const before = cancelled.length
    const gone = new AbortController()
    const call = directly(`${name}-never`, {}, { caller: gone.signal })
    await directly(`${name}-say`, { text: 'x' })
    gone.abort()
    expect(await call).toMatchObject({ code: 'deadline_exceeded', message: expect.stringContaining('went away') })
    expect(await directly(`${name}-never`, {}, { budgetMs: 10 })).toMatchObject({
      code: 'deadline_exceeded',
      message: expect.stringContaining('within 10 ms'),
    })
    await vi.waitFor(() => expect(cancelled.length).toBe(before + 2), { timeout: 60_000 })
  })
})

it('says in the other thread what a server asks in the middle of a call, and asks for the rest of a stream', async () => {
  expect(await bothWays('events-chatter')).toMatchObject({
    answer: { content: [{ text: 'after all' }] },
    isHanded: true,
  })
  expect(await bothWays('resumed-poll')).toMatchObject({ answer: { content: [{ text: 'later' }] }, isHanded: true })
})

describe('a server that is not as it should be', () => {
  it.each([
    ['plain', false],
    ['packed', false],
    ['named', false],
    ['early', false],
    ['resultless', false],
    ['contentless', false],
    ['dead', false],
    ['elsewhere', true],
    ['refused', true],
    ['page', true],
    ['batch', true],
    ['broken', true],
    ['another', true],
    ['cut', true],
    ['ended', true],
    ['telling', true],
    ['dripping', false],
    ['long', true],
    ['huge', true],
    ['deep', true],
    ['parts', true],
    ['heavy', true],
    ['blank', true],
  ])('comes to the same by both ways: %s', async (name, isHanded) => {
    expect(await bothWays(`rough-${name}`)).toMatchObject({ answer: expect.any(Object), isHanded })
  })

  it('is asked again in a new session where it refuses everything in the old one with 400', async () => {
    status.current = 400
    expect(await directly('rough-changed')).toMatchObject({ content: [{ text: 'here' }] })
    await haveSessions()
  })

  it('is not heard further after its answer', async () => {
    expect(await directly('rough-chatty')).toMatchObject({ content: [{ text: 'first' }] })
    await vi.waitFor(() => expect(isOpen?.destroyed).toBe(true), { timeout: 60_000 })
    expect(sent).toBeLessThan(20_000_000)
  })

  it('is read to its bound and no further', async () => {
    expect(await directly('rough-endless')).toMatchObject({ code: 'upstream_unavailable' })
    expect(sent).toBeLessThan(100 * 1_048_576)
  })
})

it('reads nothing in this thread that is long or of many parts', async () => {
  const { parse } = JSON
  const read: string[] = []
  vi.spyOn(JSON, 'parse').mockImplementation((words: string, reviver) => {
    read.push(words)
    return parse(words, reviver)
  })
  for (const name of ['long', 'deep', 'parts', 'blank', 'endless', 'plain']) {
    await direct
      .run({
        tool: toolOf(`rough-${name}`),
        input: {},
        entry: 'free',
        caller: new AbortController().signal,
        budgetMs: 60_000,
      })
      ?.catch(() => undefined)
  }
  expect(read.length).toBeGreaterThan(0)
  expect(Math.max(...read.map((words) => words.length))).toBeLessThanOrEqual(largestInline)
  expect(Math.max(...read.map((words) => words.match(/[,:[{]/g)?.length ?? 0))).toBeLessThanOrEqual(mostPartsInline)
})

it('looks for expressions in the other thread alone, the operator’s and the server’s, and uses no session of one that was replaced', async () => {
  const caller = new AbortController().signal
  const stuck = { tool: toolOf('rough-stuck'), input: {}, entry: 'free', caller, budgetMs: 60_000 } as const
  expect(direct.run(stuck)).toBeUndefined()
  expect(direct.run({ ...stuck, tool: toolOf('rough-patterned') })).toBeUndefined()
  const hung = byThread('rough-stuck')
  await vi.waitFor(() => expect([...sessions.values()].every((session) => session === undefined)).toBe(true), {
    timeout: 60_000,
  })
  expect(await hung).toMatchObject({ code: 'upstream_unavailable' })
  expect(direct.run({ ...stuck, tool: toolOf('rough-plain') })).toBeUndefined()
  expect(await byThread('rough-plain')).toMatchObject({ content: [{ text: 'ä€😀' }] })
  await haveSessions()
  expect((await bothWays('rough-plain')).isHanded).toBe(false)
})
