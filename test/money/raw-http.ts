import { connect } from 'node:net'

export type RawAnswer = { readonly status: number; readonly headers: string; readonly body: string }

/**
 * Sends bytes as they are, which no HTTP client does: doubled headers, absolute-form targets, bytes that are no UTF-8.
 * A Host is added where none is named. The server is asked to close the connection, and everything up to then is the
 * answer.
 */
export function sendRaw(url: string, head: readonly string[], body: string | Uint8Array = ''): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(url)
  const hasHost = head.some((line) => /^host:/i.test(line))
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const end = text.indexOf('\r\n\r\n')
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
        headers: text.slice(0, end).toLowerCase(),
        body: text.slice(end + 4),
      })
    })
    socket.write(
      [
        ...head,
        ...(hasHost ? [] : [`host: ${host}`]),
        'connection: close',
        `content-length: ${bytes.length}`,
        '',
        '',
      ].join('\r\n'),
      'latin1',
    )
    socket.write(bytes)
  })
}
