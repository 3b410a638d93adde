import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'

import { walletOf } from '../sandbox/wallets.ts'
import { systemClock } from '../src/platform/clock.ts'
import { createLog } from '../src/platform/log.ts'
import { openBuyer } from '../transports/client/buyer.ts'
import { openJournal } from '../transports/client/journal.ts'
import { policyOf } from '../transports/client/policy.ts'
import { journalFileOf } from '../transports/client/wallet.ts'
import { createRemote } from '../transports/connect/open-remote.ts'
import { createConnect } from '../transports/connect/server.ts'
import { price, toolOf } from './access/access-server.ts'
import { accessServerOfTests } from './access/access-server-of-tests.ts'
import { serveLoopback } from './harness/loopback.ts'
import { node, program } from './harness/sandbox-process.ts'

type Result = {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  readonly _meta?: Readonly<Record<string, unknown>>
}

const { server, folder } = accessServerOfTests()
let homes = 0

const paid = toolOf('paid', 'MCP').slug
const mcpUrl = (): string => `${server().url}/api/agentic/mcp`

/** The environment of somebody with a wallet and a journal of their own. */
function buyer(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  homes += 1
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: join(folder(), `home-${homes}`),
    XDG_CONFIG_HOME: '',
    TOLLGATE_WALLET_KEY: walletOf('payer').privateKey,
    ...env,
  }
}

const started = (env: Record<string, string>, urls: readonly string[]) => ({
  command: node,
  args: [program, 'connect', ...urls],
  env,
  stderr: 'ignore' as const,
})

/** A client of the newer SDK, which finds out the revision by itself, and which may be asked. */
async function newClient(env: Record<string, string>, urls = [mcpUrl()], answer?: 'accept' | 'decline') {
  const asked: string[] = []
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: 'auto' },
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
    },
  )
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return { action: answer, content: {} }
    })
  }
  await client.connect(new StdioClientTransport(started(env, urls)))
  return {
    client,
    asked,
    call: async (name: string) => (await client.callTool({ name, arguments: { text: 'a' } })) as Result,
  }
}

const run = promisify(execFile)
const tollgate = async (args: readonly string[], env: Record<string, string>) =>
  run(node, [program, ...args], { env }).catch(
    (error: unknown) => error as { stdout: string; stderr: string; code: number },
  )

describe('tollgate connect', () => {
  it('pays for a call of an older client, and the budget stops the next one', async () => {
    const before = await server().earned()
    const client = new OldClient({ name: 'test', version: '1' })
    await client.connect(new OldStdioClientTransport(started(buyer({ TOLLGATE_MAX_PER_DAY: '0.015' }), [mcpUrl()])))
    try {
      const { tools } = await client.listTools()
      expect(tools.find(({ name }) => name === paid)?.annotations).toMatchObject({ readOnlyHint: false })
      const call = async () => (await client.callTool({ name: paid, arguments: { text: 'a' } })) as Result
      const first = await call()
      expect(first.isError).toBeUndefined()
      expect(first._meta?.['io.github.tollgate-tools/paid']).toMatchObject({ usd: '0.01', leftToday: '0.005' })
      const second = await call()
      expect(second.isError).toBe(true)
      expect(second.content[0]?.text).toMatch(/^Not paid: it costs \$0\.01, and \$0\.005 is left of \$0\.015 a day\./)
      expect(second.content[0]?.text).toContain('TOLLGATE_MAX_PER_DAY')
    } finally {
      await client.close()
    }
    expect((await server().earned()).onChain - before.onChain).toBe(price)
  })

  it.each([
    ['older', 'yes', 1n],
    ['older', 'no', 0n],
    ['newer', 'yes', 1n],
    ['newer', 'no', 0n],
  ] as const)(
    'sends the user of a client of the %s SDK that only opens pages to one, who says %s',
    async (sdk, choice, times) => {
      const before = await server().earned()
      const shown: { page: string; again: number }[] = []
      /** What a user does with the address. */
      const open = async (params: unknown) => {
        const { url } = params as { url: string }
        const page = await (await fetch(url)).text()
        const said = await fetch(url, { method: 'POST', body: new URLSearchParams({ choice }) })
        expect(said.status).toBe(200)
        const again = await fetch(url, { method: 'POST', body: new URLSearchParams({ choice: 'yes' }) })
        shown.push({ page, again: again.status })
        return { action: 'accept' as const }
      }
      const parameters = started(buyer({ TOLLGATE_MAX_PER_CALL: '0.001' }), [mcpUrl()])
      const options = { capabilities: { elicitation: { url: {} } } }
      const client = sdk === 'older' ? new OldClient({ name: 'test', version: '1' }, options) : undefined
      const newer = new Client({ name: 'test', version: '1' }, { ...options, versionNegotiation: { mode: 'auto' } })
      client?.setRequestHandler(ElicitRequestSchema, ({ params }) => open(params))
      newer.setRequestHandler('elicitation/create', ({ params }) => open(params))
      await (client === undefined
        ? newer.connect(new StdioClientTransport(parameters))
        : client.connect(new OldStdioClientTransport(parameters)))
      try {
        const call = { name: paid, arguments: { text: 'a' } }
        const result = (await (client ?? newer).callTool(call)) as Result
        expect(shown).toHaveLength(1)
        expect(shown[0]?.page).toContain('Pay $0.01 for one call?')
        // It is answered once.
        expect(shown[0]?.again).not.toBe(200)
        expect(result.isError === true).toBe(choice === 'no')
        if (choice === 'no') expect(result.content[0]?.text).toContain('the payment was declined')
      } finally {
        await (client ?? newer).close()
      }
      expect((await server().earned()).onChain - before.onChain).toBe(times * price)
    },
  )

  it('asks the user of a client of the older SDK about a dear call, whose yes pays', async () => {
    const before = await server().earned()
    const asked: string[] = []
    const client = new OldClient({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message)
      return { action: 'accept', content: {} }
    })
    await client.connect(new OldStdioClientTransport(started(buyer({ TOLLGATE_MAX_PER_CALL: '0.001' }), [mcpUrl()])))
    try {
      const result = (await client.callTool({ name: paid, arguments: { text: 'a' } })) as Result
      expect([asked.length, result.isError]).toEqual([1, undefined])
    } finally {
      await client.close()
    }
    expect((await server().earned()).onChain - before.onChain).toBe(price)
  })

  it.each([
    ['accept', 1n],
    ['decline', 0n],
  ] as const)('asks the user about a dear call, who says %s', async (answer, times) => {
    const before = await server().earned()
    const { client, asked, call } = await newClient(buyer({ TOLLGATE_MAX_PER_CALL: '0.001' }), [mcpUrl()], answer)
    try {
      const result = await call(paid)
      expect(asked).toHaveLength(1)
      expect(asked[0]).toContain('Pay $0.01 to 0x')
      expect(result.isError === true).toBe(answer === 'decline')
      if (answer === 'decline') expect(result.content[0]?.text).toContain('the payment was declined')
    } finally {
      await client.close()
    }
    expect((await server().earned()).onChain - before.onChain).toBe(times * price)
  })

  it('pays once ahead and draws every call from that, until its wallet ends what spends it', async () => {
    const before = await server().earned()
    const env = buyer()
    const { client, call } = await newClient(env, ['--prepaid', '0.50', mcpUrl()])
    try {
      for (const left of ['0.49', '0.48']) {
        const { isError, _meta } = await call(paid)
        expect(isError).toBeUndefined()
        expect(_meta).toMatchObject({
          'tollgate/balance': left,
          'io.github.tollgate-tools/paid': { usd: '0.01', paidWith: 'balance', leftToday: '1.50' },
        })
      }
    } finally {
      await client.close()
    }
    expect((await server().earned()).onChain - before.onChain).toBe(500_000n)
    const { stdout } = await tollgate(['spending', '--by', 'day', '--csv'], env)
    expect(stdout.trim().split('\n').at(-1)).toMatch(/^\d{4}-\d\d-\d\d,1,0\.50,0\.50,2,0\.02$/)
    expect((await tollgate(['wallet', 'end-sessions', mcpUrl()], env)).stdout).toContain('spends its balance any more')
    const journal = await openJournal(journalFileOf(env), Date.now)
    const token = journal.session(server().url, walletOf('payer').address.toLowerCase())?.token ?? ''
    journal.close()
    const { status } = await fetch(`${server().url}/api/agentic/balance`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(status).toBe(401)
  })

  it('takes only what servers take to be paid ahead', async () => {
    const refused = await tollgate(['connect', '--prepaid', '0.10', mcpUrl()], buyer())
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('TOLLGATE_PREPAID')
    for (const prepaid of ['7', 'much', '-1', '0', '5.01']) expect(() => policyOf({}, { prepaid })).toThrow(RangeError)
  })

  it('refuses a dear call where nobody can be asked, and names the setting', async () => {
    const { client, call } = await newClient(buyer({ TOLLGATE_MAX_PER_CALL: '0.001' }))
    try {
      expect((await call(paid)).content[0]?.text).toContain('TOLLGATE_MAX_PER_CALL')
    } finally {
      await client.close()
    }
  })

  it('offers the tools of several servers, and says how to get a wallet where there is none', async () => {
    const { client, call, close } = await connectHere(buyer({ TOLLGATE_WALLET_KEY: '' }), [
      mcpUrl(),
      `${server().url}/api/mcp`,
    ])
    try {
      const names = (await client.listTools()).tools.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      const shared = names.filter((name) => name.endsWith(paid))
      expect(shared).toHaveLength(2)
      expect((await call(toolOf('free', 'POST').slug)).isError).toBeUndefined()
      expect((await call(shared[0] ?? '')).content[0]?.text).toContain('tollgate wallet new')
    } finally {
      await close()
    }
  })

  it('says that a server cannot be reached, and lists the others', async () => {
    const nowhere = 'http://127.0.0.1:9/mcp'
    const { client, close } = await connectHere(buyer(), [mcpUrl(), nowhere])
    try {
      expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    } finally {
      await close()
    }
    const alone = await connectHere(buyer(), [nowhere])
    try {
      await expect(alone.client.listTools()).rejects.toThrow(/could be reached/)
    } finally {
      await alone.close()
    }
  })

  it('writes nothing but the protocol to stdout, and ends when stdin does', async () => {
    const child = spawn(node, [program, 'connect', mcpUrl()], {
      env: buyer(),
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    let output = ''
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
      if (output.includes('"id":3')) child.stdin.end()
    })
    for (const message of [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: paid, arguments: { text: 'a' } } },
    ]) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    }
    expect(await ended).toBe(0)
    const lines = output.trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc)).toEqual(['2.0', '2.0', '2.0'])
  })
})

/** An MCP server that is as wrong as it is told to be, and asks no money. */
async function startOddServer(tools: readonly unknown[], answer: unknown) {
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as {
      id?: number
      method?: string
      params?: { name?: string }
    }
    if (params?.name === 'hangs') return
    if (id === undefined) {
      response.writeHead(request.method === 'POST' ? 202 : 405).end()
      return
    }
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'odd', version: '1' },
      },
      'tools/list': { tools },
      'tools/call': answer,
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method ?? ''] ?? {} }))
  }
  return serveLoopback((request, response) => void reply(request, response))
}

it('ten thousand calls over stdio leave nothing but JSON-RPC on stdout, and none keeps it when its client goes', async () => {
  const calls = 10_000
  const quick = await startOddServer(
    ['quick', 'hangs'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    { content: [] },
  )
  const child = spawn(node, [program, 'connect', `${quick.url}/mcp`], {
    env: buyer(),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'close')
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  // One in ten reaches a server, which costs a request each; the others are of a tool that is not there.
  const call = (id: number): boolean =>
    send({ id, method: 'tools/call', params: { name: id % 10 === 0 ? 'quick' : 'none', arguments: { id } } })
  let sent = 0
  const answered = new Set<number>()
  const foreign: string[] = []
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  send({ id: 0, method: 'initialize', params })
  try {
    for await (const line of createInterface(child.stdout)) {
      const message = parsed(line)
      if (message?.jsonrpc !== '2.0') foreign.push(line)
      else answered.add(message.id)
      // A hundred at a time, as a client that waits for none of them.
      while (sent < calls && sent - answered.size < 100) call((sent += 1))
      if (answered.size !== calls + 1) continue
      // A call that is never answered: whoever closes stdin does not wait for it.
      send({ id: calls + 1, method: 'tools/call', params: { name: 'hangs', arguments: {} } })
      child.stdin.end()
    }
    expect(foreign).toEqual([])
    expect(answered.size).toBe(calls + 1)
    expect(await ended).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
    await quick.close()
  }
})

function parsed(line: string): { readonly jsonrpc: unknown; readonly id: number } | undefined {
  try {
    return JSON.parse(line) as { jsonrpc: unknown; id: number }
  } catch {
    return undefined
  }
}

/** What `tollgate connect` offers, without a process around it. */
async function connectHere(env: Record<string, string>, urls: readonly string[]) {
  const log = createLog(() => {}, systemClock.now)
  const {
    payMcp,
    payFetch,
    policy,
    leftToday,
    budgetText,
    close: closeBuyer,
  } = await openBuyer(env, systemClock, fetch)
  const remotes = urls.map((url) =>
    createRemote({ url: new URL(url), fetch, log, hosts: policy.hosts, payMcp, payFetch }),
  )
  const connected = createConnect({ remotes, log, clock: systemClock, leftToday, budgetText })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await connected.createServer().connect(theirs)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(ours)
  return {
    client,
    call: async (name: string) => (await client.callTool({ name, arguments: { text: 'a' } })) as Result,
    close: async () => {
      await client.close()
      await connected.close()
      closeBuyer()
    },
  }
}

describe('bad input to connect', () => {
  const object = { type: 'object', properties: {} }
  const said = async (name: string, env: Record<string, string>, urls: readonly string[]) => {
    const { call, close } = await connectHere(env, urls)
    try {
      return await call(name).then(({ isError, content }) => ({ isError, text: content[0]?.text ?? '' }))
    } finally {
      await close()
    }
  }
  /** How many payments the journal of a buyer has that were signed. */
  const signedWith = async (env: Record<string, string>): Promise<number> => {
    const journal = await openJournal(journalFileOf(env), Date.now)
    const { length } = journal.entries().filter(({ state }) => state !== 'dropped')
    journal.close()
    return length
  }

  it.each([
    ['no address', ['tools.example'], 'is not the address of a server'],
    ['another scheme', ['ftp://tools.example/mcp'], 'is not the address of a server'],
    ['no server', [], 'url'],
  ])('%s is refused at the start', async (_what, urls, sentence) => {
    const ended = await tollgate(['connect', ...urls], buyer())
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.stderr).toContain(sentence)
  })

  it('a host that does not exist is said to be out of reach', async () => {
    const { client, close } = await connectHere(buyer(), ['http://nowhere.invalid/mcp'])
    try {
      await expect(client.listTools()).rejects.toThrow(/No server of this connection could be reached/)
    } finally {
      await close()
    }
  })

  it('a key file that holds no key, or that others may read, pays nothing and is named', async () => {
    for (const [mode, key, sentence] of [
      [0o600, 'not a key', 'holds no private key'],
      [0o644, walletOf('payer').privateKey, 'others on this machine may read'],
    ] as const) {
      const file = join(folder(), `wrong-${mode}.key`)
      await writeFile(file, key, { mode })
      const env = buyer({ TOLLGATE_WALLET_KEY: '', TOLLGATE_WALLET_FILE: file })
      const { isError, text } = await said(paid, env, [mcpUrl()])
      expect([isError, text.includes(sentence), text.includes(file)]).toEqual([true, true, true])
      expect(text).not.toContain(key)
    }
    const ended = await tollgate(['connect', mcpUrl()], buyer({ TOLLGATE_WALLET_KEY: '0x12' }))
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.stderr).toContain('must be a private key')
  })

  it('a wallet without money signs nothing, and is told how to get some', async () => {
    const before = await server().earned()
    const poor = {
      TOLLGATE_WALLET_KEY: walletOf('stranger').privateKey,
      TOLLGATE_BASE_RPC_URLS: server().sandbox.chain.rpcUrl,
    }
    const env = buyer(poor)
    const { isError, text } = await said(paid, env, [mcpUrl()])
    expect(isError).toBe(true)
    expect(text).toMatch(
      /^Not paid: it costs \$0\.01, and the wallet 0x\w{40} holds \$0\.00 in USDC on Base\. Nothing was signed/,
    )
    expect(text).toContain('tollgate wallet fund')
    expect(await signedWith(env)).toBe(0)
    expect((await server().earned()).onChain).toBe(before.onChain)
  })

  it('a server that lies about its schemas hides no other tool, and its answer arrives', async () => {
    const lying = await startOddServer(
      [
        { name: 'good', inputSchema: object, outputSchema: { ...object, required: ['never'] } },
        { name: 'bad', inputSchema: { type: 'string' } },
        { name: 7, inputSchema: object },
        'no tool',
      ],
      { content: [{ type: 'text', text: 'fine' }], structuredContent: { other: 1 } },
    )
    const { client, call, close } = await connectHere(buyer(), [`${lying.url}/mcp`])
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['good'])
      expect((await call('good')).content[0]?.text).toBe('fine')
      await expect(call('bad')).rejects.toThrow('Unknown tool: bad')
    } finally {
      await close()
      await lying.close()
    }
  })

  it('an answer that is not valid becomes a message, and nothing is paid', async () => {
    const silly = await startOddServer([{ name: 'silly', inputSchema: object }], { content: 'yes' })
    try {
      const { isError, text } = await said('silly', buyer(), [`${silly.url}/mcp`])
      expect([isError, text.includes('Nothing was paid')]).toEqual([true, true])
    } finally {
      await silly.close()
    }
  })

  it('two servers with a tool of the same name are told apart by their names', async () => {
    const answer = (text: string) => ({ content: [{ type: 'text', text }] })
    const one = await startOddServer([{ name: 'same', inputSchema: object }], answer('one'))
    const two = await startOddServer([{ name: 'same', inputSchema: object }], answer('two'))
    const { client, call, close } = await connectHere(buyer(), [`${one.url}/mcp`, `${two.url}/mcp`])
    try {
      const names = (await client.listTools()).tools.map(({ name }) => name)
      expect(new Set(names).size).toBe(2)
      expect(await Promise.all(names.map(async (name) => (await call(name)).content[0]?.text))).toEqual(['one', 'two'])
    } finally {
      await close()
      await one.close()
      await two.close()
    }
  })

  it('an HTTP API that describes itself is offered as well, and paid', async () => {
    const { client, close } = await connectHere(buyer(), [`${server().url}/openapi.json`])
    try {
      const slug = toolOf('paid', 'POST').slug
      const { tools } = await client.listTools()
      expect(tools.find(({ name }) => name === slug)?.annotations).toMatchObject({ readOnlyHint: false })
      const result = (await client.callTool({ name: slug, arguments: { text: 'a' } })) as Result
      expect(result._meta?.['io.github.tollgate-tools/paid']).toMatchObject({ usd: '0.01', paidWith: 'transfer' })
      expect(result.content[0]?.text).toContain('payment')
    } finally {
      await close()
    }
  })
})

describe('the wallet and what it spent', () => {
  it('is made once, is readable by its owner only, and its balance is the chain’s', async () => {
    const env = buyer({ TOLLGATE_WALLET_KEY: '', TOLLGATE_BASE_RPC_URLS: server().sandbox.chain.rpcUrl })
    const made = JSON.parse((await tollgate(['wallet', 'new', '--json'], env)).stdout) as {
      address: string
      file: string
    }
    expect((await tollgate(['wallet', 'address'], env)).stdout.trim()).toBe(made.address)
    expect((await tollgate(['wallet', 'new'], env)).stderr).toContain('there is a wallet already')
    expect((await tollgate(['wallet', 'balance'], env)).stdout).toBe('0.00 USDC on Base\n')
    expect(made.file.startsWith(env['HOME'] ?? '?')).toBe(true)
  })

  it('is imported from stdin', async () => {
    const env = buyer({ TOLLGATE_WALLET_KEY: '' })
    const child = spawn(node, [program, 'wallet', 'import'], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    child.stdin.end(`${walletOf('payer').privateKey}\n`)
    await new Promise((resolve) => child.once('close', resolve))
    expect(output.trim()).toBe(walletOf('payer').address)
  })

  it('is listed by payment, by tool and by day', async () => {
    const env = buyer()
    const { client, call } = await newClient(env)
    await call(paid)
    await client.close()
    const [payment] = JSON.parse((await tollgate(['spending', '--json'], env)).stdout) as Record<string, string>[]
    expect(payment).toMatchObject({ tool: paid, usd: '0.01', state: 'paid', server: server().url })
    expect(payment?.['transaction']).toMatch(/^0x[0-9a-f]{64}$/)
    expect((await tollgate(['spending', '--by', 'tool', '--csv'], env)).stdout).toBe(
      `server,tool,payments,usd,answeredUsd,draws,drawnUsd\n${server().url},${paid},1,0.01,0.01,0,0.00\n`,
    )
    expect((await tollgate(['spending', '--by', 'week'], env)).stderr).toContain('must be tool or day')
  })
})
