import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'

import { getAddress, verifyTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

import { authorizationTypes } from '../payments/eip3009/types.ts'
import { type Access, defineTool, type Tool } from '../tool/tool.ts'
import { describeConfig } from '../../test/harness/describe-config.ts'
import { testTool } from '../../test/harness/test-tool.ts'
import { codeSamplesOf } from './code-samples.ts'
import type { DescribeConfig } from './config.ts'

const run = promisify(execFile)
const { asset, payTo } = describeConfig
const key = generatePrivateKey()
const input = { text: `it's "quoted" $(touch /tmp/never) \`x\` \\ \${y}` }

const accepted = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset,
  payTo,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}

// A seller as plain as can be: it asks for payment, checks the signature as the token would, and answers the input.
let server: Server
let config: DescribeConfig
beforeAll(async () => {
  server = createServer((request, response) => {
    void reply(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  config = { ...describeConfig, baseUrl: `http://127.0.0.1:${port}` }
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await answer(request)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function answer(request: IncomingMessage) {
  const body = await json(request)
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json') {
    return { status: 400, headers: {}, body: { error: 'Send JSON.' } }
  }
  if (request.url === '/api/agentic/tools/free-echo') return { status: 200, headers: {}, body: { heard: body } }
  const header = request.headers['payment-signature']
  if (typeof header !== 'string') {
    const challenge = { x402Version: 2, error: 'Pay.', resource: { url: config.baseUrl }, accepts: [accepted] }
    const encoded = Buffer.from(JSON.stringify(challenge)).toString('base64')
    return { status: 402, headers: { 'payment-required': encoded }, body: challenge }
  }
  const { payload, accepted: chosen } = JSON.parse(Buffer.from(header, 'base64').toString())
  const { authorization, signature } = payload
  const isSigned = await verifyTypedData({
    address: privateKeyToAccount(key).address,
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: getAddress(asset) },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
    signature,
  })
  const isRight = isSigned && authorization.to === payTo && authorization.value === '10000' && chosen.asset === asset
  return { status: isRight ? 200 : 402, headers: {}, body: isRight ? { heard: body } : { error: 'Wrong payment.' } }
}

function echo(slug: string, access: Access): Tool {
  return defineTool({
    ...testTool,
    family: 'agentic',
    category: 'test',
    slug,
    name: 'Echo',
    access,
    input: z.strictObject({ text: z.string() }),
    output: z.strictObject({ heard: z.unknown() }),
    examples: [{ input, output: { heard: input } }],
    run: (heard) => ({ heard }),
  })
}

const paid = echo('paid-echo', { mode: 'paid', usd: '0.01' })
const free = echo('free-echo', { mode: 'free' })

async function outputOf(tool: Tool, client: string): Promise<string> {
  const sample = codeSamplesOf(tool, config).find((each) => each.client === client)
  if (sample === undefined) throw new Error(`There is no sample for ${client}.`)
  const options = { env: { ...process.env, PRIVATE_KEY: key }, timeout: 25_000 }
  const { stdout } =
    sample.lang === 'bash'
      ? await run('bash', ['-c', `${sample.code} -s --noproxy '*'`], options)
      : await run(process.execPath, ['--input-type=module-typescript', '--eval', sample.code], options)
  return stdout
}

it.each(['@x402/fetch', 'viem'])(
  'pays and prints the answer with the sample for %s, copied as it stands',
  async (client) => {
    expect(JSON.parse(await outputOf(paid, client))).toEqual({ heard: input })
  },
)

it('shows the price of a paid tool with the sample for curl', async () => {
  expect(await outputOf(paid, 'curl')).toMatch(/^HTTP\/1\.1 402 [^]*"amount":"10000"/)
})

it('calls a free tool with the samples for curl and fetch, and asks for no key', async () => {
  expect(await outputOf(free, 'curl')).toContain(JSON.stringify({ heard: input }))
  expect(JSON.parse(await outputOf(free, 'fetch'))).toEqual({ heard: input })
  expect(JSON.stringify(codeSamplesOf(free, config))).not.toContain('PRIVATE_KEY')
})

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => {
    console.log('There is no Python on this machine: its samples are not read by it.')
    return false
  },
)

it.skipIf(!hasPython)('is read by Python, with every kind of value as it was meant', async () => {
  const everything = {
    text: input.text,
    none: null,
    yes: true,
    no: false,
    many: [1, -2.5, 1e21, 'é\u2028\ud800'],
    deep: { '"': [] },
  }
  for (const tool of [paid, free]) {
    const code = codeSamplesOf(tool, config, everything).find(({ lang }) => lang === 'python')?.code ?? ''
    // Python's own parser takes the sample apart: what it sends is the value of the argument \`json\`.
    const parser = [
      'import ast, json, sys',
      'calls = [one for one in ast.walk(ast.parse(sys.stdin.read())) if isinstance(one, ast.Call)]',
      'sent = [arg.value for call in calls for arg in call.keywords if arg.arg == "json"]',
      'print(json.dumps(ast.literal_eval(sent[0])))',
    ].join('\n')
    const reading = run('python3', ['-c', parser])
    reading.child.stdin?.end(code)
    expect(JSON.parse((await reading).stdout)).toEqual(everything)
  }
})

it('configures three MCP clients, each in its own language', () => {
  const samples = codeSamplesOf(paid, config)
  const codeFor = (client: string) => samples.find((sample) => sample.client === client)?.code ?? ''
  expect(codeFor('claude-code')).toBe(`claude mcp add --transport http tollgate ${config.baseUrl}/api/agentic/mcp`)
  expect(JSON.parse(codeFor('cursor'))).toEqual({
    mcpServers: { tollgate: { url: `${config.baseUrl}/api/agentic/mcp` } },
  })
  expect(JSON.parse(codeFor('claude-desktop'))).toEqual({
    mcpServers: { tollgate: { command: 'npx', args: ['-y', `tollgate@${config.version}`, 'stdio'] } },
  })
})
