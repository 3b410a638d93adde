import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port of loopback that nobody listens on now. Systems give out ports above these by themselves, to listeners and to
 * connections: one of those could be taken before the server that it is meant for listens there.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]).catch(() => false)
    probe.close()
    if (isFree) return port
  }
}
