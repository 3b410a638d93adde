/**
 * The replayed services of the sandbox in a process of their own, so that what tools ask of them takes nobody else's
 * time.
 */
import { replays, sites } from '../../../sandbox/replay/replays.ts'
import { serveReplays } from '../../../sandbox/replay/server.ts'

const { urls, hosts } = await serveReplays({ replays, sites, now: () => new Date(), port: 0 })
process.stdout.write(`${JSON.stringify({ urls, hosts })}\n`)
process.on('disconnect', () => process.exit(0))
