import { createServer as createPlainServer } from 'node:http'
import { createServer as createTlsServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

import { Pool, buildConnector } from 'undici'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createWarmConnector } from './warm-connector.ts'

/** TLS by a key that both sides have: a test needs no certificate. */
const secret = {
  ciphers: 'PSK',
  maxVersion: 'TLSv1.2',
  pskCallback: () => ({ psk: Buffer.alloc(32, 7), identity: 'test' }),
  checkServerIdentity: () => undefined,
} as const

const cleanups: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

/** A server that counts its connections, those that are open and those over which a request came. */
async function countingServer(isTls: boolean, keepAliveTimeout = 60_000) {
  const connections: Socket[] = []
  const asked = new Set<Socket>()
  const server: Server | ReturnType<typeof createPlainServer> = isTls
    ? createTlsServer({ ...secret, pskCallback: () => secret.pskCallback().psk })
    : createPlainServer()
  server.keepAliveTimeout = keepAliveTimeout
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.push(socket)
    socket.on('error', () => undefined)
  })
  server.on('request', (request, response) => {
    asked.add(request.socket)
    response.end('yes')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `${isTls ? 'https' : 'http'}://127.0.0.1:${port}`,
    made: () => connections.length,
    open: () => connections.filter(({ destroyed }) => !destroyed).length,
    asked: () => asked.size,
    hangUp: () => connections.forEach((socket) => socket.destroy()),
  }
}

function poolTo(origin: string) {
  const connector = createWarmConnector(buildConnector({ ...secret, timeout: 60_000 }))
  const pool = new Pool(origin, { connections: null, keepAliveTimeout: 60_000, connect: connector.connect })
  cleanups.push(async () => {
    connector.close()
    await pool.destroy()
  })
  const ask = async (): Promise<string> => (await pool.request({ path: '/', method: 'GET' })).body.text()
  return { ask, warm: (to = origin) => connector.warm(to), close: connector.close }
}

const patience = { timeout: 60_000, interval: 5 }

/** Asks for a connection until one is open again, after the server closed the last. */
const reopened = (server: Awaited<ReturnType<typeof countingServer>>, warm: () => void): Promise<void> =>
  vi.waitFor(() => {
    warm()
    expect(server.open()).toBe(1)
  }, patience)

describe.each([
  ['plain', false],
  ['TLS', true],
] as const)('connections opened ahead of a request, %s', (_name, isTls) => {
  it('are one however often they are asked for, send nothing, and carry the request that comes', async () => {
    const server = await countingServer(isTls)
    const { ask, warm } = poolTo(server.origin)
    for (let wish = 0; wish < 50; wish += 1) warm()
    await vi.waitFor(() => expect(server.open()).toBe(1), patience)
    expect(server.asked()).toBe(0)
    for (let wish = 0; wish < 50; wish += 1) warm()
    expect(await ask()).toBe('yes')
    // While a connection is open no second one is opened ahead: by the time that one to another server is open, which
    // was asked for later, there is none.
    const other = await countingServer(isTls)
    warm()
    warm(other.origin)
    await vi.waitFor(() => expect(other.open()).toBe(1), patience)
    expect([server.made(), server.asked()]).toEqual([1, 1])
  })

  it('are taken while they are still being opened', async () => {
    const server = await countingServer(isTls)
    const { ask, warm } = poolTo(server.origin)
    warm()
    expect(await ask()).toBe('yes')
    expect(server.made()).toBe(1)
  })

  it('are forgotten when the server closes them, and opened again when they are asked for', async () => {
    const server = await countingServer(isTls)
    const { ask, warm } = poolTo(server.origin)
    warm()
    await vi.waitFor(() => expect(server.open()).toBe(1), patience)
    server.hangUp()
    await reopened(server, warm)
    expect(server.made()).toBe(2)
    expect(await ask()).toBe('yes')
    expect([server.made(), server.asked()]).toEqual([2, 1])
  })

  it('are opened anew after the server closed the one that was used', async () => {
    const server = await countingServer(isTls)
    const { ask, warm } = poolTo(server.origin)
    expect(await ask()).toBe('yes')
    server.hangUp()
    await reopened(server, warm)
    expect(await ask()).toBe('yes')
    expect([server.made(), server.asked()]).toEqual([2, 2])
  })
})

it('closes waiting connections when it is closed, and reports no error where nobody listens', async () => {
  const server = await countingServer(false)
  const { warm, close } = poolTo(server.origin)
  warm()
  await vi.waitFor(() => expect(server.open()).toBe(1), patience)
  close()
  await vi.waitFor(() => expect(server.open()).toBe(0), patience)
  const nowhere = poolTo('http://127.0.0.1:1')
  nowhere.warm()
  await expect(nowhere.ask()).rejects.toThrow()
  nowhere.warm()
})
