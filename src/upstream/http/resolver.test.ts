import { pbkdf2 } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { promisify } from 'node:util'

import { afterEach, describe, expect, it } from 'vitest'

import { createResolverLookup } from './resolver.ts'

const open: Socket[] = []

afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

/** A name server on loopback; `answer` gives the bytes to send back, or nothing. */
async function nameServer(answer: (query: Buffer) => Buffer | undefined) {
  const socket = createSocket('udp4')
  open.push(socket)
  let asked = 0
  socket.on('message', (query, from) => {
    asked += 1
    const reply = answer(query)
    if (reply !== undefined) socket.send(reply, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, asked: () => asked }
}

/** The question again, with one IPv4 address for it, or with none. */
function replyTo(query: Buffer, address?: readonly number[]): Buffer {
  const head = Buffer.from(query)
  head.writeUInt16BE(0x8180, 2)
  // No additional section: what the query had of it is cut off behind the question.
  const end = query.indexOf(0, 12) + 5
  const isIpv4 = query.readUInt16BE(end - 4) === 1
  head.writeUInt16BE(address !== undefined && isIpv4 ? 1 : 0, 6)
  head.writeUInt16BE(0, 10)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...(address ?? [])])
  return Buffer.concat([head.subarray(0, end), ...(address !== undefined && isIpv4 ? [record] : [])])
}

function look(lookup: ReturnType<typeof createResolverLookup>, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, found) => (error === null ? resolve(found) : reject(error)))
  })
}

describe('a name that a stranger gives', () => {
  it('is found at the name server', async () => {
    const { server } = await nameServer((query) => replyTo(query, [192, 0, 2, 7]))
    const lookup = createResolverLookup({ servers: [server] })
    expect(await look(lookup, 'shop.example')).toEqual([{ address: '192.0.2.7', family: 4 }])
  })

  it('that does not exist is not found', async () => {
    const { server } = await nameServer((query) => replyTo(query))
    const lookup = createResolverLookup({ servers: [server] })
    await expect(look(lookup, 'nobody.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  it('whose server never answers is given up in time, and keeps nobody else waiting', async () => {
    const { server, asked } = await nameServer(() => undefined)
    const lookup = createResolverLookup({ servers: [server], deadlineMs: 1_000 })
    const startedAt = performance.now()
    const silent = Array.from({ length: 50 }, (_, index) => look(lookup, `silent-${index}.example`))
    // Work of the pool of threads that connections to the facilitator and to the chain are looked up in.
    await Promise.all(Array.from({ length: 8 }, () => promisify(pbkdf2)('a', 'b', 1_000, 32, 'sha256')))
    expect(performance.now() - startedAt).toBeLessThan(700)
    const outcomes = await Promise.allSettled(silent)
    expect(performance.now() - startedAt).toBeLessThan(2_500)
    expect(outcomes.every((one) => one.status === 'rejected')).toBe(true)
    expect(asked()).toBeGreaterThanOrEqual(50)
  })
})
