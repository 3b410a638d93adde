import { serveLoopback, type LoopbackAnswer, type LoopbackServer } from '../loopback.ts'
import type { Replay, Site } from './replay.ts'

export type ReplayOptions = {
  readonly replays: readonly Replay[]
  readonly sites: readonly Site[]
  readonly now: () => Date
  /** 0, a free port, unless given. */
  readonly port?: number
}

export type ReplayServer = {
  readonly url: string
  /** Address of each service by its name. */
  readonly urls: Readonly<Record<string, string>>
  /** Address behind each public host name. */
  readonly hosts: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

/**
 * Serves every replay at `/<name in lower case>` of one address, and every site at an address of its own, on loopback.
 */
export async function serveReplays({ replays, sites, now, port = 0 }: ReplayOptions): Promise<ReplayServer> {
  const byPrefix = new Map(replays.map((replay) => [prefixOf(replay), replay]))
  const services = await serveLoopback((request): LoopbackAnswer => {
    const [, prefix = '', path = '/'] = /^(\/[^/]*)(\/.*)?$/.exec(request.path) ?? []
    const replay = byPrefix.get(prefix)
    if (replay === undefined) return { status: 404, body: { error: `The sandbox replays nothing at ${prefix}.` } }
    const context = { now: now(), origin: services.url }
    return replay.answer({ ...request, path }, context) ?? { status: 404, body: replay.notFound }
  }, port)

  // Clients cannot be relied on to send the public host name to another address, so the address alone tells the sites
  // apart.
  const served = await Promise.all(
    sites.map(async ({ host, answer }) => {
      const site: LoopbackServer = await serveLoopback(
        (request) => answer(request, { now: now(), origin: site.url }) ?? { status: 404, body: 'Not Found' },
      )
      return { host, site }
    }),
  )
  return {
    url: services.url,
    urls: Object.fromEntries(replays.map((replay) => [replay.name, services.url + prefixOf(replay)])),
    hosts: Object.fromEntries(served.map(({ host, site }) => [host, site.url])),
    stop: async () => {
      await Promise.all([services, ...served.map(({ site }) => site)].map(({ stop }) => stop()))
    },
  }
}

function prefixOf({ name }: Replay): string {
  return `/${name.toLowerCase()}`
}
