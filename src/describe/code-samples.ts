import { authorizationTypes } from '../payments/eip3009/types.ts'
import { isPriced } from '../tool/access.ts'
import type { Tool } from '../tool/tool.ts'
import { endpointOf } from '../tool/urls.ts'
import type { DescribeConfig } from './config.ts'
import { addressesOf } from './documents.ts'

export type CodeSample = {
  readonly lang: 'bash' | 'typescript' | 'python' | 'json'
  readonly client: string
  readonly title: string
  readonly code: string
}

/** What samples need to know of a tool and of this server. */
type SampledTool = Pick<Tool, 'family' | 'slug' | 'access'> & { readonly examples?: Tool['examples'] }
type SampleConfig = Pick<DescribeConfig, 'baseUrl' | 'network' | 'npmName' | 'version'>

/** A tool with the input that a sample calls it with. */
type Asked = SampledTool & { readonly input: unknown }

/**
 * Ways to call one tool; each runs as it stands once the key and the packages it names are there.
 * @param input that of the first example unless given.
 */
export function codeSamplesOf(
  tool: SampledTool,
  config: SampleConfig,
  input: unknown = tool.examples?.[0]?.input ?? {},
): readonly CodeSample[] {
  const clients = mcpClientsOf(config)
  const asked: Asked = { ...tool, input }
  return [
    ...(isPriced(tool.access) ? paidSamplesOf(asked, config) : freeSamplesOf(asked, config)),
    { lang: 'bash', client: 'claude-code', title: 'Add the server to Claude Code', code: clients.claudeCode },
    { lang: 'json', client: 'cursor', title: 'Add the server to Cursor', code: pretty(clients.cursor) },
    {
      lang: 'json',
      client: 'claude-desktop',
      title: 'Run the tools inside Claude Desktop',
      code: pretty(clients.claudeDesktop),
    },
  ]
}

function paidSamplesOf(tool: Asked, config: SampleConfig): readonly CodeSample[] {
  return [
    { lang: 'bash', client: 'curl', title: 'Ask what a call costs', code: curl(tool, config) },
    {
      lang: 'typescript',
      client: '@x402/fetch',
      title: 'Pay and call in one step',
      code: payWithX402Fetch(tool, config),
    },
    { lang: 'typescript', client: 'viem', title: 'Sign the payment yourself', code: payWithViem(tool, config) },
    { lang: 'python', client: 'x402 for Python', title: 'Pay and call from Python', code: payWithPython(tool, config) },
  ]
}

function freeSamplesOf(tool: Asked, config: SampleConfig): readonly CodeSample[] {
  return [
    { lang: 'bash', client: 'curl', title: 'Call it', code: curl(tool, config) },
    { lang: 'typescript', client: 'fetch', title: 'Call it from code', code: callWithFetch(tool, config) },
    { lang: 'python', client: 'requests', title: 'Call it from Python', code: callWithPython(tool, config) },
  ]
}

/** Ready-made configuration of three MCP clients. */
export function mcpClientsOf(config: SampleConfig) {
  const { mcp } = addressesOf(config)
  return {
    claudeCode: `claude mcp add --transport http ${config.npmName} ${mcp}`,
    cursor: { mcpServers: { [config.npmName]: { url: mcp } } },
    claudeDesktop: {
      mcpServers: {
        [config.npmName]: { command: 'npx', args: ['-y', `${config.npmName}@${config.version}`, 'stdio'] },
      },
    },
  } as const
}

function curl(tool: Asked, { baseUrl }: SampleConfig): string {
  return [
    `curl -i -X POST ${endpointOf(tool, baseUrl)} \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d ${shellQuoted(JSON.stringify(tool.input))}`,
  ].join('\n')
}

function payWithX402Fetch(tool: Asked, config: SampleConfig): string {
  return `// npm install @x402/fetch @x402/evm viem
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { ExactEvmScheme } from '@x402/evm'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(process.env.PRIVATE_KEY as \`0x\${string}\`)
const pay = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: '${config.network}', client: new ExactEvmScheme(account) }],
})

const response = await pay('${endpointOf(tool, config.baseUrl)}', ${requestOf(tool)})
console.log(JSON.stringify(await response.json(), null, 2))
`
}

function payWithViem(tool: Asked, { baseUrl, network }: SampleConfig): string {
  return `// npm install viem
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(process.env.PRIVATE_KEY as \`0x\${string}\`)
const url = '${endpointOf(tool, baseUrl)}'
const request = ${requestOf(tool)}

const challenge = await (await fetch(url, request)).json()
const accepted = challenge.accepts[0]
const authorization = {
  from: account.address,
  to: accepted.payTo,
  value: accepted.amount,
  validAfter: '0',
  validBefore: String(Math.floor(Date.now() / 1000) + accepted.maxTimeoutSeconds),
  nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
}
const signature = await account.signTypedData({
  domain: { ...accepted.extra, chainId: ${chainIdOf(network)}, verifyingContract: accepted.asset },
  primaryType: 'TransferWithAuthorization',
  types: {
${typeFields()}
  },
  message: authorization,
})
const payment = { x402Version: 2, resource: challenge.resource, accepted, payload: { authorization, signature } }

const response = await fetch(url, {
  ...request,
  headers: { ...request.headers, 'payment-signature': btoa(JSON.stringify(payment)) },
})
console.log(JSON.stringify(await response.json(), null, 2))
`
}

function typeFields(): string {
  return Object.entries(authorizationTypes)
    .map(([type, members]) => {
      const lines = members.map((member) => `      { name: '${member.name}', type: '${member.type}' },`)
      return `    ${type}: [\n${lines.join('\n')}\n    ],`
    })
    .join('\n')
}

function callWithFetch(tool: Asked, { baseUrl }: SampleConfig): string {
  return `const response = await fetch('${endpointOf(tool, baseUrl)}', ${requestOf(tool)})
console.log(JSON.stringify(await response.json(), null, 2))
`
}

function payWithPython(tool: Asked, { baseUrl }: SampleConfig): string {
  return `# pip install "x402[requests,evm]"
import os

from eth_account import Account
from x402 import x402ClientSync
from x402.http.clients import x402_requests
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact import register_exact_evm_client

client = x402ClientSync()
register_exact_evm_client(client, EthAccountSigner(Account.from_key(os.environ["PRIVATE_KEY"])))

with x402_requests(client) as session:
    response = session.post("${endpointOf(tool, baseUrl)}", json=${pythonOf(tool.input)})
    print(response.json())
`
}

function callWithPython(tool: Asked, { baseUrl }: SampleConfig): string {
  return `# pip install requests
import requests

response = requests.post("${endpointOf(tool, baseUrl)}", json=${pythonOf(tool.input)})
print(response.json())
`
}

/** JSON as Python writes it; a text of JSON is one of Python too. */
function pythonOf(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map((one) => pythonOf(one)).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${pythonOf(one)}`)
    .join(', ')}}`
}

function requestOf({ input }: Asked): string {
  return `{
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(${JSON.stringify(input)}),
}`
}

function chainIdOf(network: string): string {
  return network.slice(network.indexOf(':') + 1)
}

export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
