import type { Transform } from 'node:stream'

import type { Dispatcher } from 'undici'

/** What is sent: a POST, unless it says otherwise. The names of headers are small letters. */
export type PostRequest = {
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Told of an answer as it comes. What one of these throws ends the exchange. */
export type PostReader = {
  readonly onHead: (status: number, headers: Readonly<Record<string, string | readonly string[] | undefined>>) => void
  /** A piece of the body, unpacked. What it returns is waited for before more is read. */
  readonly onChunk: (chunk: Buffer) => Promise<void> | void
}

export type Exchange = {
  /** When the body has ended. @throws whatever kept it from coming, or from being read. */
  readonly done: Promise<void>
  readonly abort: (reason: Error) => void
}

/**
 * Sends a text and hands on the answer piece by piece, without the objects and streams that a `fetch` makes for each
 * request: they cost more than the request. It follows no redirect.
 */
export type Post = (url: URL, request: PostRequest, reader: PostReader) => Exchange

export type PostParts = {
  readonly open: () => Promise<Dispatcher>
  /** What unpacks a body of this coding; undefined where it needs none. @throws where it is not known. */
  readonly decoderOf: (coding: string | undefined) => Transform | undefined
}

export function createPost({ open, decoderOf }: PostParts): Post {
  return (url, request, reader) => {
    const exchange = new PostExchange(reader, decoderOf)
    open().then(
      (dispatcher) => exchange.send(dispatcher, url, request),
      (error: unknown) => exchange.abort(asError(error)),
    )
    return exchange
  }
}

/** One object for all that is told of a request: a function for each would cost a busy server more than the sending. */
class PostExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly done: Promise<void>
  readonly #reader: PostReader
  readonly #decoderOf: PostParts['decoderOf']
  #resolve = (): void => {}
  #reject = (_reason: Error): void => {}
  #control: Dispatcher.DispatchController | undefined
  #decoder: Transform | undefined
  #ended: Error | undefined

  constructor(reader: PostReader, decoderOf: PostParts['decoderOf']) {
    this.#reader = reader
    this.#decoderOf = decoderOf
    this.done = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  send(dispatcher: Dispatcher, url: URL, { method = 'POST', headers, body }: PostRequest): void {
    if (this.#ended !== undefined) return
    try {
      dispatcher.dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body }, this)
    } catch (error) {
      this.abort(asError(error))
    }
  }

  abort(reason: Error): void {
    if (this.#ended !== undefined) return
    this.#ended = reason
    this.#control?.abort(reason)
    this.#decoder?.destroy()
    this.#reject(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#control = controller
    if (this.#ended !== undefined) controller.abort(this.#ended)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Heads): void {
    // What comes before the answer says nothing of it.
    if (status < 200 || this.#ended !== undefined) return
    try {
      const coding = headers['content-encoding']
      if (coding !== undefined) this.#decode(typeof coding === 'string' ? coding : coding.join())
      this.#reader.onHead(status, headers)
    } catch (error) {
      this.abort(asError(error))
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#decoder === undefined) this.#take(chunk)
    else if (!this.#decoder.write(chunk)) {
      controller.pause()
      this.#decoder.once('drain', () => controller.resume())
    }
  }

  onResponseEnd(): void {
    if (this.#decoder === undefined) this.#resolve()
    else this.#decoder.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.abort(error)
  }

  #decode(coding: string): void {
    this.#decoder = this.#decoderOf(coding)
    this.#decoder
      ?.on('data', (chunk: Buffer) => this.#take(chunk))
      .on('end', this.#resolve)
      .on('error', (error) => this.abort(error))
  }

  #take(chunk: Buffer): void {
    if (this.#ended !== undefined) return
    try {
      const pause = this.#reader.onChunk(chunk)
      if (pause === undefined) return
      this.#control?.pause()
      void pause.then(() => this.#control?.resume())
    } catch (error) {
      this.abort(asError(error))
    }
  }
}

type Heads = Readonly<Record<string, string | string[] | undefined>>

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
