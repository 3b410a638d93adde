/**
 * Pays with clients as they are published, in a sandbox, and tells what each does when the answer to a payment is lost.
 * Clients without a wallet pay through `tollgate connect`. They are installed into a temporary folder: 1 GB and some
 * minutes, most of it `agents` and `mcpay`.
 *
 *     node scripts/interop.ts [--in folder] [--only name] [--write]
 *
 * `--in` keeps the folder and installs only once; `--only` tries those whose name has that in it; `--write` puts the
 * table into docs/clients.md. Ends with 1 when one of them could not pay. What they send is replayed, without them, by
 * `test/interop/`.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

import { z } from 'zod'

import { usdcBalance } from '../sandbox/sign.ts'
import { startSandboxProcess } from '../test/harness/sandbox-process.ts'

const packages = {
  private: true,
  type: 'module',
  dependencies: {
    '@ai-sdk/mcp': '2.0.99',
    '@apify/mcpc': '0.2.6',
    '@langchain/core': '1.4.0',
    '@langchain/langgraph': '1.7.3',
    '@langchain/mcp-adapters': '1.1.4',
    '@modelcontextprotocol/client': '2.4.0',
    '@modelcontextprotocol/inspector': '2.12.0',
    '@modelcontextprotocol/sdk': '1.32.2',
    '@openai/agents': '0.20.0',
    '@x402/axios': '2.11.0',
    '@x402/core': '2.27.0',
    '@x402/evm': '2.27.0',
    '@x402/fetch': '2.27.0',
    agentcash: '0.14.4',
    agents: '0.32.0',
    axios: '1.21.1',
    // What siwe, which agentcash loads, asks its user to bring.
    ethers: '6.9.2',
    mcpay: '0.1.17',
    mppx: '0.11.0',
    viem: '2.57.1',
    'x402-axios': '0.7.2',
    'x402-fetch': '1.2.0',
  },
  // The newest viem asks for a version of ox that was never published.
  overrides: { viem: '$viem' },
}

/** What a call of the tool costs, in atomic units. */
const price = 10_000n

const prelude = `
import { privateKeyToAccount } from 'viem/accounts'
const { BASE_URL, SERVER_URL, KEY, MAIN, HOME } = process.env
const MCP_URL = BASE_URL + '/api/agentic/mcp'
const TOOL = BASE_URL + '/api/agentic/tools/base-gas-tracker'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
const account = privateKeyToAccount(KEY)
/** A program of the folder, as a user calls it. */
const run = async (name, args, env = {}) => {
  const { stdout } = await promisify(execFile)('node_modules/.bin/' + name, args, { env: { ...process.env, ...env }, timeout: 60_000 })
  return stdout
}
const call = { name: 'base-gas-tracker', arguments: { blocks: 3 } }
const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call.arguments) }
// As a caller does that lost an answer: the same question once more.
const attempt = async (ask, found) => {
  if (found !== undefined) console.log(JSON.stringify({ discovered: found }))
  for (let left = 2; left > 0; left -= 1) {
    try {
      const answer = await ask()
      if (answer) { console.log(JSON.stringify({ answered: true })); process.exit(0) }
    } catch (error) {
      if (left === 1) { console.error(error); process.exit(1) }
    }
  }
  console.log(JSON.stringify({ answered: false })); process.exit(1)
}
`
const old = `
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
const connected = async (transport) => {
  const client = new Client({ name: 'interop', version: '1' })
  await client.connect(transport ?? new StreamableHTTPClientTransport(new URL(MCP_URL)))
  await client.listTools()
  return client
}
const listed = async (client) => (await client.listTools()).tools.some(({ name }) => name === call.name)
const isPaid = (result) => result.isError !== true && result._meta?.['x402/payment-response']?.success === true
`
const connectCommand = `{ command: process.execPath, args: [MAIN, 'connect', MCP_URL], env: { PATH: process.env.PATH, HOME, TOLLGATE_WALLET_KEY: KEY } }`

type Payer = {
  readonly name: string
  readonly version: string
  readonly way: string
  readonly source: string
  /**
   * Whether it asks its maker's server for the balance of the wallet before it pays; a stand-in then answers for that.
   */
  readonly asksForBalance?: true
  /** What ends the processes that it leaves behind. */
  readonly end?: readonly [program: string, ...args: string[]]
}

const versions: Readonly<Record<string, string>> = packages.dependencies
const payers: readonly Payer[] = [
  {
    name: 'tollgate/client',
    version: 'this',
    way: 'HTTP',
    source: `${prelude}
const { createPayer } = await import(MAIN.replace(/main\\.ts$/, 'client/client.ts'))
// It checks who signed an answer, so it asks the server by its name, and goes by the proxy.
const viaProxy = (url, init) => fetch(url.replace(SERVER_URL, BASE_URL), init)
const payer = await createPayer({ wallet: KEY, journal: ':memory:', fetch: viaProxy })
await attempt(async () => (await payer.fetch(TOOL.replace(BASE_URL, SERVER_URL), post)).ok)`,
  },
  {
    name: 'tollgate connect, with the client of the older MCP SDK',
    version: 'this',
    way: 'MCP',
    source: `${prelude}${old}
const client = await connected(new StdioClientTransport(${connectCommand}))
await attempt(async () => isPaid(await client.callTool(call)), await listed(client))`,
  },
  {
    name: 'tollgate connect, with the client of the newer MCP SDK',
    version: 'this',
    way: 'MCP',
    source: `${prelude}
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
const client = new Client({ name: 'interop', version: '1' }, { versionNegotiation: { mode: 'auto' } })
await client.connect(new StdioClientTransport(${connectCommand}))
const { tools } = await client.listTools()
await attempt(async () => (await client.callTool(call))._meta?.['x402/payment-response']?.success === true, tools.some(({ name }) => name === call.name))`,
  },
  {
    name: '@x402/fetch',
    version: versions['@x402/fetch'] ?? '',
    way: 'HTTP',
    source: `${prelude}
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
const pay = wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }] })
await attempt(async () => (await pay(TOOL, post)).ok)`,
  },
  {
    name: '@x402/axios',
    version: versions['@x402/axios'] ?? '',
    way: 'HTTP',
    source: `${prelude}
import axios from 'axios'
import { ExactEvmScheme } from '@x402/evm'
import { wrapAxiosWithPaymentFromConfig } from '@x402/axios'
const pay = wrapAxiosWithPaymentFromConfig(axios.create(), { schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }] })
await attempt(async () => (await pay.post(TOOL, call.arguments)).status === 200)`,
  },
  {
    name: 'x402-fetch (version 1)',
    version: versions['x402-fetch'] ?? '',
    way: 'HTTP, `X-402-Version: 1`',
    source: `${prelude}
import { wrapFetchWithPayment } from 'x402-fetch'
const asV1 = (url, init = {}) => {
  const request = new Request(url, init)
  request.headers.set('x-402-version', '1')
  return fetch(request)
}
const pay = wrapFetchWithPayment(asV1, account, 20000n)
await attempt(async () => (await pay(TOOL, post)).ok)`,
  },
  {
    name: 'x402-axios (version 1)',
    version: versions['x402-axios'] ?? '',
    way: 'HTTP, `X-402-Version: 1`',
    source: `${prelude}
import axios from 'axios'
import { withPaymentInterceptor } from 'x402-axios'
const pay = withPaymentInterceptor(axios.create({ headers: { 'x-402-version': '1' } }), account)
await attempt(async () => (await pay.post(TOOL, call.arguments)).status === 200)`,
  },
  {
    name: 'agents',
    version: versions['agents'] ?? '',
    way: 'MCP',
    source: `${prelude}${old}
import { withX402Client } from 'agents/x402'
const plain = await connected()
const client = withX402Client(plain, { account, network: 'base' })
await attempt(async () => isPaid(await client.callTool(null, call)), await listed(plain))`,
  },
  {
    name: 'mcpay',
    version: versions['mcpay'] ?? '',
    way: 'MCP',
    source: `${prelude}${old}
import { createSigner } from 'x402/types'
// Its own entry imports files without their endings, which only a bundler finds.
import { withX402Client } from './node_modules/mcpay/dist/client/with-x402-client.js'
const plain = await connected()
const client = withX402Client(plain, { wallet: { evm: await createSigner('base', KEY) }, maxPaymentValue: 20000n })
await attempt(async () => isPaid(await client.callTool(call)), await listed(plain))`,
  },
  {
    name: 'mppx (`--protocol x402`)',
    version: versions['mppx'] ?? '',
    way: 'HTTP',
    source: `${prelude}
const args = ['--protocol', 'x402', '--silent', '--fail', '-J', JSON.stringify(call.arguments), TOOL]
await attempt(async () => (await run('mppx', args, { MPPX_PRIVATE_KEY: KEY })).includes('base_fee_gwei'))`,
  },
  {
    name: 'agentcash',
    version: versions['agentcash'] ?? '',
    way: 'HTTP',
    asksForBalance: true,
    source: `${prelude}
const env = { X402_PRIVATE_KEY: KEY }
// Its own option for a server of its maker's on this machine.
const found = await run('agentcash', ['discover', BASE_URL, '--format', 'json', '--dev'], env).catch((error) => String(error.stdout))
const args = ['fetch', TOOL, '-m', 'POST', '-b', JSON.stringify(call.arguments), '--format', 'json', '--dev']
await attempt(async () => (await run('agentcash', args, env)).includes('base_fee_gwei'), found.includes(call.name))`,
  },
  {
    name: '@apify/mcpc (`--x402`)',
    version: versions['@apify/mcpc'] ?? '',
    way: 'MCP',
    source: `${prelude}
// A home of its own, and its socket's path is short.
await run('mcpc', ['x402', 'import', KEY])
await run('mcpc', ['connect', MCP_URL, '@pay', '--x402', '--no-profile'])
const tools = await run('mcpc', ['@pay', 'tools-list', '--json'])
const paid = async () => (await run('mcpc', ['@pay', 'tools-call', call.name, 'blocks:=3', '--json'])).includes('base_fee_gwei')
await attempt(paid, tools.includes(call.name))`,
    end: ['mcpc', 'close', '@pay'],
  },
  {
    name: 'MCP Inspector (command line), through tollgate connect',
    version: versions['@modelcontextprotocol/inspector'] ?? '',
    way: 'MCP',
    source: `${prelude}
// It hands on no variables but those that it is told.
const server = ['--cli', '-e', 'TOLLGATE_WALLET_KEY=' + KEY, '-e', 'HOME=' + HOME, process.execPath, MAIN, 'connect', MCP_URL]
const tools = await run('mcp-inspector', [...server, '--method', 'tools/list'])
const args = [...server, '--method', 'tools/call', '--tool-name', call.name, '--tool-arg', 'blocks=3']
await attempt(async () => (await run('mcp-inspector', args)).includes('base_fee_gwei'), tools.includes(call.name))`,
  },
  {
    name: 'AI SDK (`@ai-sdk/mcp`), through tollgate connect',
    version: versions['@ai-sdk/mcp'] ?? '',
    way: 'MCP',
    source: `${prelude}
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio'
const client = await createMCPClient({ transport: new Stdio(${connectCommand}) })
const tools = await client.tools()
const ask = async () => JSON.stringify(await tools[call.name].execute(call.arguments, { toolCallId: '1', messages: [] })).includes('base_fee_gwei')
await attempt(ask, call.name in tools)`,
  },
  {
    name: 'LangChain (`@langchain/mcp-adapters`), through tollgate connect',
    version: versions['@langchain/mcp-adapters'] ?? '',
    way: 'MCP',
    source: `${prelude}
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
const client = new MultiServerMCPClient({ mcpServers: { paid: { transport: 'stdio', ...${connectCommand} } } })
const tool = (await client.getTools()).find(({ name }) => name.endsWith(call.name))
await attempt(async () => JSON.stringify(await tool.invoke(call.arguments)).includes('base_fee_gwei'), tool !== undefined)`,
  },
  {
    name: 'OpenAI agents (`@openai/agents`), through tollgate connect',
    version: versions['@openai/agents'] ?? '',
    way: 'MCP',
    source: `${prelude}
import { MCPServerStdio } from '@openai/agents'
const server = new MCPServerStdio(${connectCommand})
await server.connect()
const tools = await server.listTools()
const ask = async () => JSON.stringify(await server.callTool(call.name, call.arguments)).includes('base_fee_gwei')
await attempt(ask, tools.some(({ name }) => name === call.name))`,
  },
]

type Row = Payer & { readonly found: string; readonly pays: string; readonly lost: string; readonly output: string }

// A folder that is named is kept, and installed into only once.
const { values } = parseArgs({
  options: {
    in: { type: 'string' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
})
const folder = values.in === undefined ? await mkdtemp(join(tmpdir(), 'interop-')) : resolve(values.in)
try {
  if (!existsSync(join(folder, 'node_modules'))) {
    console.log(`Installing ${Object.keys(packages.dependencies).join(', ')} into ${folder} …`)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), JSON.stringify(packages))
    await install(folder)
  }
  const server = await startSandboxProcess()
  const rows: Row[] = []
  try {
    for (const payer of payers.filter(({ name }) => name.includes(values.only))) {
      const paid = await tryOut(payer, server, false)
      const lost = paid.answered ? await tryOut(payer, server, true) : undefined
      const row = {
        ...payer,
        found: foundOf(paid),
        pays: paysOf(paid),
        lost: wordsOf(lost),
        output: paid.output,
      }
      rows.push(row)
      console.log(
        `${row.pays === '**no**' ? '✗' : '✓'} ${payer.name} ${payer.version}: discovers: ${row.found}; pays: ${row.pays}; after a lost answer: ${row.lost}`,
      )
      if (row.pays !== '**no**' && row.found !== '**no**') continue
      console.log(`charged: ${paid.charged}`)
      console.log(row.output)
      process.exitCode = 1
    }
  } finally {
    await server.stop()
  }
  if (values.write) await writeTable(rows)
} finally {
  if (values.in === undefined) await rm(folder, { recursive: true, force: true })
}

type Trial = { readonly answered: boolean; readonly charged: number; readonly output: string }

/**
 * What a client said of its own search; a client that only pays for an address that it is given searches for nothing.
 */
function foundOf({ output }: Trial): string {
  const [, said] = /"discovered":(true|false)/.exec(output) ?? []
  if (said === undefined) return '–'
  return said === 'true' ? 'yes' : '**no**'
}

function paysOf({ answered, charged }: Trial): string {
  return answered && charged === 1 ? 'yes' : '**no**'
}

function wordsOf(trial: Trial | undefined): string {
  if (trial === undefined) return 'not tried'
  if (trial.charged > 1) return `signs again (${trial.charged} payments for one answer)`
  return trial.answered ? 'gets the answer with the same payment' : 'gives up'
}

/** Runs a client behind a proxy that may lose the first answer to a payment, and counts the payments it sends. */
async function tryOut(
  payer: Payer,
  sandbox: Awaited<ReturnType<typeof startSandboxProcess>>,
  loses: boolean,
): Promise<Trial> {
  const proxy = await startProxy(sandbox.baseUrl, loses, payer.version !== 'this' || payer.way !== 'HTTP')
  const earned = (): Promise<bigint> => usdcBalance(sandbox.chain.rpcUrl, payTo)
  const payTo = z.templateLiteral(['0x', z.string()]).parse(sandbox.payTo)
  const before = await earned()
  const home = await mkdtemp(join(tmpdir(), 'interop-home-'))
  const balances =
    payer.asksForBalance === true
      ? await startBalances((address) => usdcBalance(sandbox.chain.rpcUrl, address))
      : undefined
  const file = join(folder, 'client.mjs')
  try {
    await writeFile(file, payer.source)
    const { code, output } = await run(file, {
      BASE_URL: proxy.url,
      SERVER_URL: sandbox.baseUrl,
      KEY: sandbox.wallets.payer.privateKey,
      MAIN: fileURLToPath(new URL('../transports/main.ts', import.meta.url)),
      HOME: home,
    })
    const charged = Number(((await earned()) - before) / price)
    return { answered: code === 0, charged, output }
  } finally {
    if (payer.end !== undefined) await endWith(payer.end, home)
    balances?.stop()
    proxy.stop()
    await rm(home, { recursive: true, force: true })
  }
}

/** Lets a client end what it started; it may have started nothing. */
async function endWith([program, ...args]: NonNullable<Payer['end']>, home: string): Promise<void> {
  const env = { ...process.env, HOME: home }
  await promisify(execFile)(join(folder, 'node_modules/.bin', program), args, { env, timeout: 30_000 }).catch(() => {})
}

/** What the server of agentcash's maker says of a wallet, here with what the chain says. */
async function startBalances(balanceOf: (address: `0x${string}`) => Promise<bigint>) {
  const askedBalance = z.looseObject({ address: z.templateLiteral(['0x', z.string()]), network: z.string() })
  const answer = async (text: string): Promise<unknown> => {
    const { data } = askedBalance.safeParse(JSON.parse(text || '{}'))
    if (data === undefined) return {}
    const balance = data.network === 'base' ? Number(await balanceOf(data.address)) / 1e6 : 0
    return { balance, network: 'eip155:8453', paymentNetwork: 'base', chainId: 8453 }
  }
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    request.on('end', () => {
      answer(text).then(
        (said) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said)),
        () => response.writeHead(400).end(),
      )
    })
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    // Where the client looks for it.
    server.listen(3_000, 'localhost', done)
  })
  return {
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * Passes everything on. Most clients are to take the proxy for the server, so answers name that; where answers are
 * checked for who signed them they stay as they are.
 */
async function startProxy(target: string, loses: boolean, isRenamed: boolean) {
  let isLost = !loses
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const found = noncesIn(`${JSON.stringify(incoming.headers)} ${body.toString('utf8')}`)
      const { host: _host, 'accept-encoding': _packed, ...headers } = incoming.headers
      const onward = httpRequest(
        new URL(incoming.url ?? '/', target),
        { method: incoming.method, headers },
        (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('end', () => {
            // What is lost is an answer: a payment that is refused has none.
            if (found.length > 0 && !isLost && !Buffer.concat(parts).includes('x402Version')) {
              isLost = true
              outgoing.destroy()
              return
            }
            const own = `http://${incoming.headers.host ?? ''}`
            const rename = (text: string): string => (isRenamed ? text.replaceAll(target, own) : text)
            const renamed = rename(Buffer.concat(parts).toString('utf8'))
            const kept = Object.entries(answer.headers).filter(([name]) => name !== 'transfer-encoding')
            const sent = kept.map(([name, value]) => [
              name,
              typeof value === 'string' ? inHeader(value, rename) : value,
            ])
            outgoing.writeHead(answer.statusCode ?? 502, {
              ...Object.fromEntries(sent),
              'content-length': Buffer.byteLength(renamed),
            })
            outgoing.end(renamed)
          })
        },
      )
      onward.on('error', () => outgoing.destroy())
      onward.end(body)
    })
  })
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Renames what stands in a header, also as base64. */
function inHeader(value: string, rename: (text: string) => string): string {
  const decoded = Buffer.from(value, 'base64').toString('utf8')
  if (!decoded.startsWith('{')) return rename(value)
  return Buffer.from(rename(decoded), 'utf8').toString('base64')
}

/** The nonces of payments in a text, also of those that stand in it as base64. */
function noncesIn(text: string): readonly string[] {
  const decoded = (text.match(/[A-Za-z0-9+/_-]{200,}={0,2}/g) ?? []).map((part) =>
    Buffer.from(part, 'base64').toString('utf8'),
  )
  return [text, ...decoded].flatMap((one) => one.match(/"nonce":\s*"0x[0-9a-fA-F]{64}"/g) ?? [])
}

async function writeTable(rows: readonly Row[]): Promise<void> {
  const file = new URL('../docs/clients.md', import.meta.url)
  const text = await readFile(file, 'utf8')
  const [begin, end] = ['<!-- written by scripts/interop.ts -->', '<!-- end -->']
  const table = [
    '| Client | Version | Way | Discovers | Pays | When the answer is lost |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ name, version, way, found, pays, lost }) => `| ${name} | ${version} | ${way} | ${found} | ${pays} | ${lost} |`,
    ),
  ].join('\n')
  const [head = ''] = text.split(begin)
  const [, tail = ''] = text.split(end)
  await writeFile(file, `${head}${begin}\n\n${table}\n\n${end}${tail}`)
}

function install(cwd: string): Promise<void> {
  return new Promise((done, reject) => {
    const child = spawn(
      'npm',
      ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error'],
      {
        cwd,
        stdio: 'inherit',
      },
    )
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) done()
      else reject(new Error('The packages could not be installed.'))
    })
  })
}

function run(file: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ readonly code: number; readonly output: string }>((done) => {
    execFile(
      process.execPath,
      [file],
      { cwd: folder, timeout: 90_000, env: { ...process.env, ...env } },
      (error, output, errors) => done({ code: error === null ? 0 : 1, output: `${output}${errors}`.slice(0, 4_000) }),
    )
  })
}
