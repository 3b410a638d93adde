/**
 * Pays with the clients that others published and that are too heavy to be a dependency of this project: `agents` and
 * `mcpay` over MCP, `x402-fetch` (x402 v1) over HTTP. They are installed into a temporary folder, 0.7 GB and some
 * minutes, and pay in a sandbox.
 *
 *     node scripts/interop.ts [--in folder]
 *
 * Ends with 1 when one of them could not pay. What they send is replayed, without them, by `test/interop/`.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { type SandboxProcess, startSandboxProcess } from '../test/harness/sandbox-process.ts'

const packages = {
  private: true,
  type: 'module',
  dependencies: {
    '@modelcontextprotocol/sdk': '1.32.2',
    '@x402/core': '2.27.0',
    '@x402/evm': '2.27.0',
    agents: '0.32.0',
    mcpay: '0.1.17',
    viem: '2.57.1',
    'x402-fetch': '1.2.0',
  },
  // The newest viem asks for a version of ox that was never published.
  overrides: { viem: '$viem' },
}

const connect = `
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { privateKeyToAccount } from 'viem/accounts'
const { MCP_URL, BASE_URL, KEY } = process.env
const account = privateKeyToAccount(KEY)
const connected = async () => {
  const client = new Client({ name: 'interop', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(MCP_URL)))
  return client
}
const call = { name: 'base-gas-tracker', arguments: { blocks: 3 } }
const tell = (receipt) => { console.log(JSON.stringify(receipt ?? null)); process.exit(0) }
`

const payers = {
  agents: `${connect}
import { withX402Client } from 'agents/x402'
const client = withX402Client(await connected(), { account, network: 'base' })
await client.listTools()
const result = await client.callTool(null, call)
tell(result._meta?.['x402/payment-response'])
`,
  mcpay: `${connect}
import { createSigner } from 'x402/types'
// Its own entry imports files without their endings, which only a bundler finds.
import { withX402Client } from './node_modules/mcpay/dist/client/with-x402-client.js'
const client = withX402Client(await connected(), { wallet: { evm: await createSigner('base', KEY) }, maxPaymentValue: 20000n })
await client.listTools()
const result = await client.callTool(call)
tell(result._meta?.['x402/payment-response'])
`,
  'x402-fetch': `${connect}
import { wrapFetchWithPayment, decodeXPaymentResponse } from 'x402-fetch'
const asV1 = (url, init = {}) => {
  const request = new Request(url, init)
  request.headers.set('x-402-version', '1')
  return fetch(request)
}
const pay = wrapFetchWithPayment(asV1, account, 20000n)
const response = await pay(BASE_URL + '/api/agentic/tools/base-gas-tracker', {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call.arguments),
})
tell(decodeXPaymentResponse(response.headers.get('x-payment-response')))
`,
} as const

// A folder that is named is kept, and installed into only once.
const named = process.argv[process.argv.indexOf('--in') + 1]
const kept = process.argv.includes('--in') && named !== undefined
const folder = kept ? resolve(named) : await mkdtemp(join(tmpdir(), 'interop-'))
let server: SandboxProcess | undefined
try {
  if (!existsSync(join(folder, 'node_modules'))) {
    console.log(`Installing ${Object.keys(packages.dependencies).join(', ')} into ${folder} …`)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), JSON.stringify(packages))
    await install(folder)
  }
  server = await startSandboxProcess()
  for (const [name, source] of Object.entries(payers)) {
    const file = join(folder, `${name}.mjs`)
    await writeFile(file, source)
    const { output, errors } = await run(file, server)
    const receipt = /^\{.*"success":true.*\}$/m.exec(output)?.[0]
    console.log(receipt === undefined ? `✗ ${name} could not pay:\n${output}${errors}` : `✓ ${name} paid: ${receipt}`)
    if (receipt === undefined) process.exitCode = 1
  }
} finally {
  await server?.stop()
  if (!kept) await rm(folder, { recursive: true, force: true })
}

function install(cwd: string): Promise<void> {
  return new Promise((done, reject) => {
    const child = spawn('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
      cwd,
      stdio: 'inherit',
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) done()
      else reject(new Error('The packages could not be installed.'))
    })
  })
}

function run(file: string, { mcpUrl, baseUrl, wallets }: SandboxProcess) {
  return new Promise<{ readonly output: string; readonly errors: string }>((done) => {
    execFile(
      process.execPath,
      [file],
      {
        cwd: folder,
        timeout: 60_000,
        env: { ...process.env, MCP_URL: mcpUrl, BASE_URL: baseUrl, KEY: wallets.payer.privateKey },
      },
      (_error, output, errors) => done({ output, errors: errors.slice(0, 4_000) }),
    )
  })
}
