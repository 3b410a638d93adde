import { Writable } from 'node:stream'

/**
 * Takes standard output for a protocol: from here on only the stream it gives reaches it, and whatever else is written
 * there, by `console.log` or by a library, goes to standard error.
 */
export function takeStdout(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  const taken = new Writable({
    decodeStrings: false,
    write: (chunk: Uint8Array | string, _encoding, done) => {
      write(chunk, (error) => done(error ?? null))
    },
  })
  stdout.on('error', (error) => taken.destroy(error))
  stdout.write = stderr.write.bind(stderr)
  return taken
}
