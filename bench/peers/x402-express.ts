// The same tools sold with @x402/express, in the way its documentation shows, with the same handler behind it.
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'

import grantFinder from '../../tools/agentic/base-builder-grant-finder/tool.ts'

/** What the other server's 402 said, so that this one says the same. */
type Terms = {
  readonly path: string
  readonly description: string
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly extra: Readonly<Record<string, unknown>>
  readonly maxTimeoutSeconds: number
  readonly extensions: Readonly<Record<string, unknown>>
}

const facilitatorUrl = process.env['BENCH_FACILITATOR'] ?? ''
const tools = JSON.parse(process.env['BENCH_TERMS'] ?? '[]') as readonly Terms[]

const resourceServer = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl })).register(
  'eip155:8453',
  new ExactEvmScheme(),
)
const routes = Object.fromEntries(
  tools.map(({ path, description, amount, asset, payTo, extra, maxTimeoutSeconds, extensions }) => [
    `POST ${path}`,
    {
      accepts: {
        scheme: 'exact',
        network: 'eip155:8453' as const,
        payTo,
        price: { amount, asset, extra },
        maxTimeoutSeconds,
      },
      description,
      mimeType: 'application/json',
      extensions,
    },
  ]),
)

const signal = new AbortController().signal
const context = {
  now: () => new Date(),
  signal,
  entry: 'payment',
  settings: { publicOrigin: 'http://127.0.0.1', projectTokens: [] },
  catalog: () => [],
} as unknown as Parameters<typeof grantFinder.run>[1]

const app = express()
app.use(paymentMiddleware(routes, resourceServer))
app.use(express.json())
for (const { path } of tools) {
  app.post(path, async (request, response) => {
    const input = grantFinder.input.parse(request.body)
    response.json(grantFinder.output.parse(await grantFinder.run(input, context)))
  })
}
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 }))
})
