// Pays for one call with the unmodified x402 client: node examples/pay.ts [address of the server] [private key]
// Without a key it takes the public demo key of the sandbox.
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

import { walletOf } from '../sandbox/wallets.ts'

const [address = 'http://127.0.0.1:8402', key = walletOf('payer').privateKey] = process.argv.slice(2)
const baseUrl = address.replace(/\/+$/, '')
const fail = (reason: string): never => {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
if (!/^https?:\/\//.test(baseUrl)) fail(`"${address}" is not the address of a server, such as http://127.0.0.1:8402.`)
if (!isHex(key) || key.length !== 66) fail('The private key must be 0x and 64 hex digits.')

const pay = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(key)) }],
})
const response = await pay(`${baseUrl}/api/agentic/tools/base-gas-tracker`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ blocks: 3 }),
}).catch((error: unknown) =>
  fail(
    `${baseUrl} cannot be reached (${reasonOf(error)}). "npm start" starts a sandbox, at the address that it prints.`,
  ),
)
const receipt = response.headers.get('payment-response')
process.stdout.write(`${response.status}\n${JSON.stringify(await response.json(), null, 2)}\n`)
if (receipt !== null) process.stdout.write(`paid: ${JSON.stringify(decodePaymentResponseHeader(receipt), null, 2)}\n`)
// Whoever runs this in a script wants to know whether it paid.
process.exitCode = response.ok ? 0 : 1

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}
