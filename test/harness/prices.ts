import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type PriceService = { readonly url: string; readonly stop: () => Promise<void> }

/**
 * A service on loopback that knows the prices of some tokens, as DefiLlama tells them, and of the others what is given.
 */
export async function startPrices(known: Readonly<Record<string, number>>, others?: number): Promise<PriceService> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const tokens = decodeURIComponent(pathname.split('/').at(-1) ?? '').split(',')
    const timestamp = Math.floor(Date.now() / 1_000)
    const coins = Object.fromEntries(
      tokens.flatMap((key) => {
        const price = known[key.replace('base:', '')] ?? others
        return price === undefined ? [] : [[key, { price, timestamp, confidence: 0.99 }]]
      }),
    )
    // What the services answer that are asked after the first one.
    const body = pathname.startsWith('/tokens') ? [] : pathname.startsWith('/prices') ? { coins } : {}
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
