import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { loadGates } from '../src/gate/load.ts'
import { systemClock } from '../src/platform/clock.ts'
import { ConfigError } from '../src/platform/config-error.ts'
import { createPayer, type Payer, paymentOf } from '../transports/client/client.ts'
import { firstJsonLine, node, pathOf, program, type Ready, runMain } from './harness/sandbox-process.ts'
import { until } from './money/server.ts'

const page = await readFile(pathOf('docs/sell-an-mcp-server.md'), 'utf8')
const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text)
const commands = blocksOf('sh').flatMap((text) => text.trim().split('\n'))
const serverFile = pathOf('test/harness/gated-server-start.ts')
/** What the page starts from npm, which no test asks. */
const fromNpm = 'npx -y @modelcontextprotocol/server-everything'

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }
let folder: string

/** Runs a line of the page as it stands, but for where the program and the gated server are. */
async function sh(line: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const command = line
    .replace('npx tollgate', `"${node}" "${program}"`)
    .replace(fromNpm, `"${node}" "${serverFile}" "${join(folder, 'starts')}"`)
  try {
    const options = { cwd: folder, env: { ...process.env, ...env } }
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command], options)
    return { code: 0, stdout, stderr }
  } catch (error) {
    return error as Ended
  }
}

/** A shop that anybody could run, and what it was asked. */
const asked: { readonly url: string; readonly key: string | undefined; readonly body: string }[] = []
const askedBy: (string | undefined)[] = []
async function startApi(): Promise<Server> {
  const api = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      asked.push({ url: request.url ?? '', key: request.headers['x-api-key']?.toString(), body })
      askedBy.push(request.headers['x-request-id']?.toString())
      const isThere = request.url?.startsWith('/v1/items/1') === true || request.method === 'POST'
      const isBroken = request.url === '/v1/items/500'
      response.writeHead(isBroken ? 500 : isThere ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isThere ? { name: 'A lamp', price: null } : { message: 'no such item' }))
    })
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  return api
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const item = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number', nullable: true } } }
const answers = {
  200: { description: '', content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } } },
}
const document = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  components: { schemas: { Item: { ...item, required: ['name', 'price'] } } },
  paths: {
    '/items/{id}': {
      get: {
        operationId: 'getItem',
        summary: 'Finds an item',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'with', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        ],
        responses: answers,
      },
    },
    '/items': {
      post: {
        operationId: 'makeItem',
        requestBody: { required: true, content: { 'application/json': { schema: item } } },
        responses: answers,
      },
    },
  },
}

/** Requests that cannot be made from JSON arguments. */
const forms = {
  openapi: '3.1.0',
  info: { title: 'Forms', version: '1' },
  paths: {
    '/send': {
      post: {
        operationId: 'send',
        requestBody: { content: { 'multipart/form-data': { schema: { type: 'object' } } } },
        responses: {},
      },
    },
    '/enter': {
      get: { operationId: 'enter', parameters: [{ name: 'session', in: 'cookie', required: true }], responses: {} },
    },
  },
}

let api: Server
let web: ChildProcess
let sandbox: ChildProcess
let baseUrl: string
let payer: Payer
let stderr = ''

const stopOf = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  await ended
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate gate ü-'))
  api = await startApi()
  web = runMain(['', 'http'], {}, serverFile)
  const { port } = (await firstJsonLine(web, () => '')) as { readonly port: number }
  await writeFile(
    join(folder, 'web.yaml'),
    `server: { url: "http://127.0.0.1:${port}/mcp", headers: { x-key: "\${WEB_KEY}" } }\nprefix: web\nprice: 0.01\ntools: { die: false, elsewhere: false }\n`,
  )
  await writeFile(join(folder, 'shop.json'), JSON.stringify(document))
  await writeFile(
    join(folder, 'api.yaml'),
    `server: { openapi: shop.json, baseUrl: "http://127.0.0.1:${portOf(api)}/v1", headers: { x-api-key: of-the-shop } }\nprice: free\n`,
  )
})
afterAll(async () => {
  payer?.close()
  await stopOf(web)
  if (sandbox !== undefined) await stopOf(sandbox)
  api.close()
  await rm(folder, { recursive: true, force: true })
})

type Failed = {
  readonly error: { readonly code: string; readonly charged: boolean; readonly details?: { readonly said?: string } }
}

async function call(slug: string, input: unknown, send: Payer['fetch'] = payer.fetch) {
  const response = await send(`${baseUrl}/api/agentic/tools/${slug}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  const requestId = response.headers.get('x-request-id')
  return { status: response.status, body: await response.json(), payment: paymentOf(response), requestId }
}

/** Paid where the tool costs something; one request, without the tries of a paying client where it is free. */
async function failureOf(
  slug: string,
  input: unknown,
  send: Payer['fetch'] = payer.fetch,
): Promise<Failed['error'] & { readonly status: number }> {
  const { status, body } = await call(slug, input, send)
  return { ...(body as Failed).error, status }
}

const startsSoFar = async (): Promise<number> =>
  (await readFile(join(folder, 'starts'), 'utf8')).trim().split('\n').length

describe('the page that sells an MCP server', () => {
  it('asks a server what it has, and writes a file with every tool at a cent', async () => {
    const [init = ''] = commands
    const { stderr: told, code } = await sh(init)
    expect([code, told]).toEqual([0, expect.stringMatching(/Wrote gate\.yaml: 9 tools at \$0\.01 a call/)])
    expect(told).toMatch(/elsewhere cannot be offered: .*refers to https:\/\/schemas\.example/)
    expect(told).toMatch(/Warning: .*\n.*whisper/)
    const written = await readFile(join(folder, 'gate.yaml'), 'utf8')
    expect(written).toMatch(/"get-sum": \{ price: "0\.01" \}/)
    // A second time it would write over what somebody has edited.
    expect((await sh(init)).code).toBe(2)
  })

  it('sells it in the sandbox, beside a server over HTTP and an API', async () => {
    expect(commands[1]).toBe('npx tollgate gate gate.yaml --sandbox')
    const file = join(folder, 'gate.yaml')
    const [shown = ''] = blocksOf('yaml')
    expect(shown).toContain('get-sum: { price: 0.002 }')
    const edited = (await readFile(file, 'utf8'))
      .replace(/.*"get-sum".*/, '  get-sum: { price: 0.002 }')
      .replace(/.*"sayAgain".*/, '  sayAgain: { price: 0.01, freePerDay: 2 }')
      .replace(/.*"elsewhere".*/, '  elsewhere: false')
      .replace(/.*"wait".*/, '  wait: { price: free, timeoutSeconds: 1 }')
      .replace(/.*"die".*/, '  die: { price: free }')
      .replace(/.*"promise".*/, '  promise: { price: free }')
      .replace(/.*"sorry".*/, '  sorry: { price: 0.01, failure: { text: ["^error"] } }')
      .replace(/.*"environment".*/, '  environment: { price: free }')
    await writeFile(file, edited)
    sandbox = runMain(['gate', file, '--sandbox', '--port', '0', '--json'], {
      TOLLGATE_GATES: [join(folder, 'web.yaml'), join(folder, 'api.yaml')].join(','),
      WEB_KEY: 'secret',
    })
    sandbox.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const ready = (await firstJsonLine(sandbox, () => stderr)) as Ready
    baseUrl = ready.baseUrl
    payer = await createPayer({ wallet: ready.wallets.payer.privateKey, journal: join(folder, 'payments.db') })
    expect(stderr).toMatch(/get-sum +\$0\.002\n/)
    expect(stderr).toMatch(/Warning: `tollgate scan`.*\n(?:.*\n)*?.*whisper/)
    const { status, body, payment } = await call('get-sum', { a: 2, b: 40 })
    expect([status, body, payment?.usd]).toEqual([200, { sum: 42 }, '0.002'])
    const overWeb = await call('web-get-sum', { a: 1, b: 1 })
    expect([overWeb.body, overWeb.payment?.usd]).toEqual([{ sum: 2 }, '0.01'])
  })

  it('shows the tools wherever tools are shown, with clean words', async () => {
    for (const path of ['/api/agentic/manifest', '/openapi.json', '/llms.txt', '/tools/web-get-sum']) {
      const text = await (await fetch(baseUrl + path, { headers: { accept: 'text/html, */*' } })).text()
      expect(text, path).toContain('web-get-sum')
      expect(text, path).not.toMatch(/[\u200B\u202E]|base-gas-tracker/)
    }
  })

  it('gives each caller its free calls, and then the price', async () => {
    const ask = (body: string | undefined): Promise<Response> =>
      fetch(`${baseUrl}/api/agentic/tools/say-again`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      })
    expect((await ask(undefined)).status).toBe(402)
    const first = await ask('{"text":"hello"}')
    expect([first.status, await first.json()]).toEqual([200, { content: [{ type: 'text', text: 'Again: hello' }] }])
    expect((await ask('{"text":3}')).status).toBe(400)
    expect((await ask('{"text":"hello"}')).status).toBe(200)
    expect((await ask('{"text":"hello"}')).status).toBe(402)
    expect((await call('say-again', { text: 'x' })).payment?.usd).toBe('0.01')
  })

  it('answers over MCP with the content of the server', async () => {
    const client = new Client({ name: 'buyer', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/api/agentic/mcp`)))
    const { tools } = await client.request({ method: 'tools/list', params: {} })
    expect(tools.find(({ name }) => name === 'say-again')).toMatchObject({
      title: 'Say again',
      description: 'Says again what it was told. Costs $0.01 a call. 2 a day free.',
      inputSchema: { properties: { text: { description: 'What to say.' } } },
    })
    const params = { name: 'environment', arguments: {} }
    const { content } = await client.request({ method: 'tools/call', params })
    const [block] = content
    const names = block?.type === 'text' ? block.text.split(' ') : []
    expect(names).toContain('PATH')
    // Its keys and settings are this process's own business.
    expect(names.filter((name) => /TOLLGATE|KEY/.test(name))).toEqual([])
    await client.close()
  })
})

describe('a gated server that fails', () => {
  it('charges nothing for what it calls an error, and quotes it', async () => {
    const error = await failureOf('fail', { word: 'x' })
    expect(error).toMatchObject({ status: 400, charged: false, details: { said: 'There is no such word.' } })
  })

  it('charges nothing for a refused input, a broken promise, a call over its time, or what the file calls a failure', async () => {
    expect(await failureOf('get-sum', { a: 2, b: 4_000 })).toMatchObject({ code: 'invalid_input', charged: false })
    expect(await failureOf('promise', { word: 'x' }, fetch)).toMatchObject({ status: 500, charged: false })
    expect(await failureOf('wait', { ms: 5_000 }, fetch)).toMatchObject({ code: 'deadline_exceeded', charged: false })
    expect(await failureOf('sorry', { word: 'x' })).toMatchObject({ status: 400, charged: false })
  })

  it('is started again after it died in the middle of calls, which are not charged', async () => {
    const before = await startsSoFar()
    let deaths = 0
    // Which of two calls comes first is not ours to say: one has to be under way when the other one kills.
    const underWay = await until('a call that was under way', async () => {
      const waiting = call('wait', { ms: 900 }, fetch)
      deaths += 1
      expect(await failureOf('die', { now: true }, fetch)).toMatchObject({
        code: 'upstream_unavailable',
        charged: false,
      })
      const { status, body } = await waiting
      return status === 200 ? undefined : (body as Failed).error
    })
    expect(underWay.charged).toBe(false)
    expect((await call('get-sum', { a: 1, b: 2 })).body).toEqual({ sum: 3 })
    expect(await startsSoFar()).toBe(before + deaths)
  })
})

describe('the request that a call came with', () => {
  it('is named to a server over HTTP and to an API, so that both logs tell of the same call', async () => {
    const web = await call('web-environment', {})
    expect(web.body).toMatchObject({ content: [{ text: `request ${web.requestId}` }] })
    const { requestId } = await call('get-item', { id: '1' })
    expect(requestId).toMatch(/./)
    expect(askedBy.at(-1)).toBe(requestId)
  })
})

describe('a gated API', () => {
  it('is asked with the operator’s key, and with what the caller sent where that belongs', async () => {
    asked.length = 0
    expect((await call('get-item', { id: '1 / 2', with: ['a', 'b'] })).body).toEqual({ name: 'A lamp', price: null })
    expect((await call('make-item', { body: { name: 'A lamp' } })).status).toBe(200)
    expect(asked).toEqual([
      { url: '/v1/items/1%20%2F%202?with=a&with=b', key: 'of-the-shop', body: '' },
      { url: '/v1/items', key: 'of-the-shop', body: '{"name":"A lamp"}' },
    ])
  })

  it('cannot be led to another path by an argument, and its failures are told apart', async () => {
    asked.length = 0
    expect(await failureOf('get-item', { id: '..' })).toMatchObject({ status: 400, code: 'invalid_input' })
    expect(asked).toEqual([])
    expect(await failureOf('get-item', { id: '7' })).toMatchObject({ status: 400, charged: false })
    expect(await failureOf('get-item', { id: '500' }, fetch)).toMatchObject({ status: 500, charged: false })
  })
})

describe('a gate that cannot be opened', () => {
  it.each([
    ['server: [', /line 1: /],
    ['server: { command: nowhere-at-all }\nprice: 0.01', /the server does not answer \(nowhere-at-all\)/],
    [
      'server: { command: node, args: [--eval, "console.error(\'no key given\'); process.exit(1)"] }\nprice: 1',
      /no key given/,
    ],
    ['server: { openapi: shop.json, baseUrl: "http://127.0.0.1:9" }\nprice: 0', /price: is nothing/],
    ['server: { openapi: shop.json, baseUrl: "http://127.0.0.1:9" }\nprice: 1e9', /price: is more than/],
    [
      'server: { openapi: shop.json, baseUrl: "http://127.0.0.1:9" }\nprice: 1\ntools: { nosuch: false }',
      /tools\.nosuch: the server has no such tool; it has getItem/,
    ],
    [
      'server: { openapi: shop.json, baseUrl: "http://127.0.0.1:9" }\nprice: 1\ntools: { makeItem: { slug: get-item } }',
      /"get-item" is the slug of getItem too/,
    ],
    [
      'server: { openapi: forms.json, baseUrl: "http://127.0.0.1:9" }\nprice: 1',
      /send: its body is multipart\/form-data, and only JSON is sent; enter: it needs the cookie "session"/,
    ],
    [
      'server: { openapi: shop.json, baseUrl: "http://127.0.0.1:9" }',
      /no tool is offered \(getItem: the file does not name it/,
    ],
  ])('%j is named with its file', async (text, named) => {
    await writeFile(join(folder, 'wrong.yaml'), text)
    await writeFile(join(folder, 'forms.json'), JSON.stringify(forms))
    const file = join(folder, 'wrong.yaml')
    const error: unknown = await loadGates([file], { env: {}, fetch, clock: systemClock }).catch((one: unknown) => one)
    expect(error).toBeInstanceOf(ConfigError)
    expect(String(error)).toMatch(named)
    expect(String(error)).toContain(file)
  })

  it('is none that was just made, although not all of the API can be sold', async () => {
    const made = join(folder, 'made')
    await mkdir(made, { recursive: true })
    const some = { ...forms, paths: { ...forms.paths, ...document.paths }, components: document.components }
    await writeFile(join(made, 'api.json'), JSON.stringify({ ...some, servers: [{ url: 'http://127.0.0.1:9' }] }))
    const { stderr } = await sh(`cd made && npx tollgate gate --init api.json`)
    expect(stderr).toMatch(/Wrote gate\.yaml: 2 tools[\s\S]*send cannot be offered: its body is multipart/)
    expect(await readFile(join(made, 'gate.yaml'), 'utf8')).toMatch(
      /"send": false\n[\s\S]*"getItem": \{ price: "0\.01" \}/,
    )
    const [gate] = await loadGates([join(made, 'gate.yaml')], { env: {}, fetch, clock: systemClock })
    expect(gate?.tools.map(({ slug }) => slug)).toEqual(['get-item', 'make-item'])
  })

  it('needs a wallet where it is for real', async () => {
    const line = commands[2]?.replace('0xYourWallet', '0x1') ?? ''
    await writeFile(
      join(folder, 'gate.yaml'),
      'server: { openapi: shop.json, baseUrl: "http://127.0.0.1:9" }\nprice: 1',
    )
    expect((await sh(line)).stderr).toMatch(/TOLLGATE_PAY_TO: must be an address/)
  })
})
