import type { Exchange, PostReader } from '../http/post.ts'

/** A session of an MCP server, in which another thread may call as well. Plain data: it is sent to that thread. */
export type CallSession = {
  /** The server's name for it; undefined where it gives none. */
  readonly id: string | undefined
  readonly url: string
  /** Of every call. */
  readonly headers: Readonly<Record<string, string>>
}

/** A call that another thread has begun in a session, and what has come of it so far. */
export type BegunCall = {
  /** Its id in JSON-RPC. */
  readonly call: string
  readonly session: string | undefined
  readonly status: number
  readonly headers: Parameters<PostReader['onHead']>[1]
}

/** The answer to a call that was begun elsewhere, piece by piece, as if it were exchanged here. */
export type Relay = {
  readonly begun: BegunCall
  /** Tells a reader what came before and what comes. */
  readonly read: (reader: PostReader) => Exchange
  readonly more: (chunk: Buffer) => void
  /** There is nothing more: it has ended, or broke off. */
  readonly end: (error: Error | undefined) => void
}

/** What comes before there is a reader waits for it. */
export function createRelay(begun: BegunCall): Relay {
  let waiting: (() => void)[] | undefined = []
  let tell: { readonly reader: PostReader; readonly settle: (error: Error | undefined) => void } | undefined
  const soon = (work: () => void): void => {
    if (waiting === undefined) work()
    else waiting.push(work)
  }
  return {
    begun,
    more: (chunk) =>
      soon(() => {
        try {
          // What was read already needs no pause.
          void tell?.reader.onChunk(chunk)
        } catch (error) {
          tell?.settle(error instanceof Error ? error : new Error(String(error)))
        }
      }),
    end: (error) => soon(() => tell?.settle(error)),
    read: (reader) => {
      let settle = (_error: Error | undefined): void => {}
      const done = new Promise<void>((resolve, reject) => {
        settle = (error) => {
          tell = undefined
          if (error === undefined) resolve()
          else reject(error)
        }
      })
      tell = { reader, settle }
      try {
        reader.onHead(begun.status, begun.headers)
      } catch (error) {
        settle(error instanceof Error ? error : new Error(String(error)))
      }
      for (const work of waiting ?? []) work()
      waiting = undefined
      return { done, abort: (reason) => settle(reason) }
    },
  }
}
