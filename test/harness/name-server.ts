import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type NameServer = {
  /** `address:port`, as a resolver takes it. */
  readonly server: string
  readonly asked: () => number
  readonly close: () => void
}

/** A name server on loopback; `answer` returns the bytes to send back, or nothing. */
export async function startNameServer(answer: (query: Buffer) => Buffer | undefined): Promise<NameServer> {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (query, from) => {
    asked += 1
    const reply = answer(query)
    if (reply !== undefined) socket.send(reply, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, asked: () => asked, close: () => socket.close() }
}

/** The question again, with addresses for it, as many as there are of the kind that was asked for. */
export function replyTo(query: Buffer, addresses: readonly (readonly number[])[] = []): Buffer {
  const head = Buffer.from(query)
  head.writeUInt16BE(0x8180, 2)
  // No additional section: what the query had of it is cut off behind the question.
  const end = query.indexOf(0, 12) + 5
  const type = query.readUInt16BE(end - 4)
  const wanted = addresses.filter(({ length }) => (length === 4 ? type === 1 : type === 28))
  head.writeUInt16BE(wanted.length, 6)
  head.writeUInt16BE(0, 10)
  const records = wanted.map((address) =>
    // A name that points back to the question, one second to live, and the address.
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, address.length, ...address]),
  )
  return Buffer.concat([head.subarray(0, end), ...records])
}
