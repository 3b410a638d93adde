import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

import { afterAll, describe, expect, it } from 'vitest'

import { freePort } from '../harness/free-port.ts'
import { freshDatabase } from '../harness/fresh-database.ts'
import { type ServerProcess, until } from '../money/server.ts'
import type { Purchase } from '../money/surroundings.ts'
import { surroundingsOfTests } from '../money/surroundings-of-tests.ts'

const database = process.env['TOLLGATE_TEST_DATABASE_URL'] ?? ''

/**
 * A balancer as the proxies in `deploy` are set up: it asks each node every quarter of a second whether it is ready,
 * and sends a call to the other one only where no connection was made at all.
 */
async function startBalancer(publicUrl: (url: string) => void) {
  const nodes = new Map<string, boolean>()
  const look = async (): Promise<void> => {
    for (const url of nodes.keys()) {
      const answer = await fetch(`${url}/ready`).catch(() => undefined)
      if (nodes.has(url)) nodes.set(url, answer?.ok === true)
    }
  }
  const timer = setInterval(() => void look(), 250)
  let turn = 0
  const pass = (request: IncomingMessage, body: Buffer, response: ServerResponse, tried: readonly string[]): void => {
    const ready = [...nodes].filter(([url, isReady]) => isReady && !tried.includes(url)).map(([url]) => url)
    const target = ready[(turn += 1) % Math.max(1, ready.length)]
    if (target === undefined) {
      response.writeHead(502).end()
      return
    }
    const { method, headers } = request
    const onward = httpRequest(`${target}${request.url}`, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') pass(request, body, response, [...tried, target])
      else response.writeHead(502).end()
    })
    onward.end(body)
  }
  const server = createServer((request, response) => {
    void buffer(request).then((body) => pass(request, body, response, []))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  publicUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return {
    add: async (url: string) => {
      nodes.set(url, false)
      await look()
    },
    remove: (url: string) => void nodes.delete(url),
    stop: () => {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
    },
  }
}

describe.skipIf(database === '')('two nodes behind a balancer', () => {
  let drop: (() => Promise<void>) | undefined
  let url = ''
  afterAll(() => drop?.())
  const { around, start: startIn } = surroundingsOfTests()

  it('are replaced one after the other, and no call is lost or charged twice', async () => {
    const fresh = await freshDatabase(database)
    drop = fresh.drop
    const balancer = await startBalancer((own) => {
      url = own
    })
    const start = async (name: string): Promise<ServerProcess & { readonly address: string }> => {
      const port = await freePort()
      const env = {
        ...around().envOf(name),
        DATABASE_URL: fresh.url,
        TOLLGATE_PUBLIC_URL: url,
        TOLLGATE_PORT: String(port),
        TOLLGATE_TRUST_PROXY: '1',
      }
      const server = await startIn({ env })
      const address = `http://127.0.0.1:${port}`
      await balancer.add(address)
      return { ...server, address }
    }
    const first = await start('one')
    await start('two')

    const over = new AbortController()
    const bought: Purchase[] = []
    const buyers = Array.from({ length: 3 }, async () => {
      while (!over.signal.aborted) bought.push(await around().buy(url))
    })
    await until('calls through both', async () => (bought.length >= 6 ? true : undefined))
    const before = bought.length
    const ended = first.kill('SIGTERM')
    await ended
    expect(await first.ended).toEqual({ code: 0, signal: null })
    balancer.remove(first.address)
    await start('three')
    const after = bought.length
    await until('calls through the new one', async () => (bought.length >= after + 6 ? true : undefined))
    over.abort()
    await Promise.all(buyers)
    expect(after).toBeGreaterThan(before)
    expect(bought.filter(({ answer }) => answer.status !== 200).map(({ answer }) => answer.text)).toEqual([])
    for (const { payment } of bought) expect(around().chain.transfersOf(payment.nonce)).toHaveLength(1)
    balancer.stop()
  }, 180_000)
})
