import type { LoopbackAnswer, LoopbackRequest } from '../loopback.ts'

/** A request to an outside service, as its replay sees it: the path is relative to the service's address. */
export type ReplayRequest = LoopbackRequest

export type ReplayContext = {
  /** Answers are fresh relative to it. */
  readonly now: Date
  /** Where the replay is reached, for a service that names its own address. */
  readonly origin: string
}

type Answering = {
  /** Undefined where the real service has no such path. */
  readonly answer: (request: ReplayRequest, context: ReplayContext) => LoopbackAnswer | undefined
}

/** A service that `TOLLGATE_UPSTREAM_<name>_URL` points to. All its data is invented for this project. */
export type Replay = Answering & {
  readonly name: string
  /** What the real service answers to a path it does not have. */
  readonly notFound: unknown
}

/**
 * A site of the public web, reached through `TOLLGATE_UPSTREAM_WEB_HOSTS`. Its host name is one nobody can own, e.g.
 * under `.example`.
 */
export type Site = Answering & { readonly host: string }

/** The parts of a path between its slashes, decoded. */
export function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter(Boolean).map(decodeURIComponent)
}
