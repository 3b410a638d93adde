// Pays for one call with the unmodified x402 client: node examples/pay.ts [address of the server] [private key]
// Without a key it takes the public demo key of the sandbox.
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

import { walletOf } from '../sandbox/wallets.ts'

const [baseUrl = 'http://127.0.0.1:8402', key = walletOf('payer').privateKey] = process.argv.slice(2)
if (!isHex(key)) throw new Error('The private key must be hex and start with 0x.')

const pay = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(key)) }],
})
const response = await pay(`${baseUrl}/api/agentic/tools/base-gas-tracker`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ blocks: 3 }),
})
const receipt = response.headers.get('payment-response')
process.stdout.write(`${response.status}\n${JSON.stringify(await response.json(), null, 2)}\n`)
if (receipt !== null) process.stdout.write(`paid: ${JSON.stringify(decodePaymentResponseHeader(receipt), null, 2)}\n`)
