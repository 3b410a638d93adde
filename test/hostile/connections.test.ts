import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterEach, describe, expect, it } from 'vitest'

import { createLimits } from '../../src/access/limits.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { defaultLimits } from '../../src/platform/limits.ts'
import { createCallers } from '../../src/server/callers.ts'
import { createGuard } from '../../transports/http/guard.ts'
import { callTool, richWallet, startTestServer } from '../money/test-server.ts'
import { freshKey, pay } from '../money/payer.ts'

const open: (() => Promise<void>)[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const stop of open.splice(0)) await stop()
})

const limits = createLimits({ clock: systemClock, table: defaultLimits })

function dial(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  sockets.push(socket)
  return socket
}

/** Has a server listen until the end of the test; returns its port. */
async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve)
  })
  open.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return (server.address() as AddressInfo).port
}

describe('connections', () => {
  it('of one address are no more than 256, whatever the others have', () => {
    const callers = createCallers({ limits })
    const mine = Array.from({ length: 10_000 }, () => callers.connect('8.8.8.8')).filter((one) => one !== undefined)
    expect(mine).toHaveLength(256)
    expect(callers.connect('8.8.4.4')).toBeDefined()
    mine[0]?.()
    expect(callers.connect('8.8.8.8')).toBeDefined()
    expect(callers.connect('8.8.8.8')).toBeUndefined()
  })

  it('of one address are no more over real sockets, and another address is served meanwhile', async () => {
    // This machine's own addresses are not limited; here two of them stand for two in the world.
    const world = {
      ...limits,
      of: (address: string) => limits.of(address === '127.0.0.2' ? '8.8.4.4' : '8.8.8.8'),
    }
    const callers = createCallers({ limits: world, most: { connections: 40 } })
    const guard = createGuard({ callers, addressOf: () => '8.8.8.8', isBehindProxy: false, isLocal: false })
    const server = createServer((_request, response) => response.end('served'))
    guard.watch(server)
    const port = await listen(server, '0.0.0.0')
    let closed = 0
    for (let index = 0; index < 100; index += 1) {
      dial(port).once('close', () => {
        closed += 1
      })
    }
    await expect.poll(() => closed, { timeout: 60_000 }).toBe(60)
    const served = async (localAddress: string): Promise<string> => {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      sockets.push(socket)
      socket.on('error', () => {})
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
      return text(socket).catch(() => '')
    }
    expect(await served('127.0.0.1')).toBe('')
    expect(await served('127.0.0.2')).toContain('served')
    for (const socket of sockets.splice(0)) socket.destroy()
    await expect.poll(() => served('127.0.0.1'), { timeout: 60_000 }).toContain('served')
  })

  it('are no more in all than the server has room for, with ten thousand waiting', async () => {
    const callers = createCallers({ limits, most: { allConnections: 200 } })
    const guard = createGuard({ callers, addressOf: () => '8.8.8.8', isBehindProxy: true, isLocal: false })
    let most = 0
    const server = createServer((_request, response) => response.end('served'))
    guard.watch(server)
    server.on('connection', () => {
      server.getConnections((_error, count) => {
        most = Math.max(most, count)
      })
    })
    const port = await listen(server, '127.0.0.1')
    // In waves, because each takes two file descriptors of this process until it is closed.
    let closed = 0
    for (let wave = 0; wave < 20; wave += 1) {
      await Promise.all(
        Array.from({ length: 500 }, async () => {
          const socket = dial(port)
          socket.once('close', () => {
            closed += 1
          })
          await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined)
        }),
      )
    }
    await expect.poll(() => closed, { timeout: 60_000 }).toBe(10_000 - 200)
    expect(most).toBeLessThanOrEqual(200)
    // Room is made as they go.
    for (const socket of sockets.splice(0)) socket.destroy()
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${port}/`)
            .then((answer) => answer.text())
            .catch(() => ''),
        { timeout: 60_000 },
      )
      .toBe('served')
  })

  it('that send their requests drop by drop keep no payer waiting', async () => {
    const server = await startTestServer()
    open.push(server.stop)
    const port = Number(new URL(server.url).port)
    const kinds = [
      'POST /api/agentic/tools/probe HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ',
      'POST /api/agentic/tools/probe HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n{"text":"',
      'POST /api/agentic/mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n',
      'GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
    ]
    const slow = Array.from({ length: 400 }, (_, index) => {
      const socket = dial(port)
      // The last kind asks and does not read.
      if (index % kinds.length === 3) socket.pause()
      socket.write(kinds[index % kinds.length] ?? '')
      return socket
    })
    const drip = setInterval(() => {
      for (const [index, socket] of slow.entries()) if (index % kinds.length < 2 && socket.writable) socket.write('a')
    }, 50)
    try {
      const wallet = richWallet(server)
      const accepts = await server.acceptsOf('probe')
      for (let index = 0; index < 10; index += 1) {
        const payment = await pay(wallet, accepts)
        const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
        expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(200)
      }
    } finally {
      clearInterval(drip)
    }
    expect(server.probes.runs()).toBe(10)
  })
})
