import { serveLoopback, type LoopbackAnswer } from '../loopback.ts'
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

/** Serves every replay at `/<name in lower case>` and every site under its own host name, on loopback. */
export async function serveReplays({ replays, sites, now, port = 0 }: ReplayOptions): Promise<ReplayServer> {
  const byPrefix = new Map(replays.map((replay) => [prefixOf(replay), replay]))
  const byHost = new Map(sites.map((site) => [site.host, site]))
  const server = await serveLoopback((request): LoopbackAnswer => {
    const context = { now: now(), origin: server.url }
    const host = (request.headers['host'] ?? '').replace(/:\d+$/, '').toLowerCase()
    const site = byHost.get(host)
    if (site !== undefined) return site.answer(request, context) ?? { status: 404, body: 'Not Found' }

    const [, prefix = '', path = '/'] = /^(\/[^/]*)(\/.*)?$/.exec(request.path) ?? []
    const replay = byPrefix.get(prefix)
    if (replay === undefined) return { status: 404, body: { error: `The sandbox replays nothing at ${prefix}.` } }
    return replay.answer({ ...request, path }, context) ?? { status: 404, body: replay.notFound }
  }, port)
  return {
    url: server.url,
    urls: Object.fromEntries(replays.map((replay) => [replay.name, server.url + prefixOf(replay)])),
    hosts: Object.fromEntries(sites.map(({ host }) => [host, server.url])),
    stop: server.stop,
  }
}

function prefixOf({ name }: Replay): string {
  return `/${name.toLowerCase()}`
}
