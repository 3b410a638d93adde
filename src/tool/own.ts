import type { z } from 'zod'

/** What the open web answered. */
export type OwnFetched = {
  readonly status: number
  /** The address behind all redirects. */
  readonly finalUrl: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  readonly text: string
}

/** What a tool of the operator's gets for one call. */
export type OwnToolContext = {
  readonly now: () => Date
  /** Aborts at the call's deadline, and when nobody waits any more. */
  readonly signal: AbortSignal
  /** How the caller was let in; `local` is the user's own process. */
  readonly entry: 'free' | 'payment' | 'pass' | 'local'
  /** The open web for addresses that a caller named: public hosts only, 1 MiB and 10 seconds unless said. */
  readonly web: {
    readonly fetch: (
      url: string,
      request?: {
        readonly method?: 'GET' | 'HEAD' | 'POST' | 'OPTIONS'
        readonly headers?: Readonly<Record<string, string>>
        readonly body?: string
        readonly maxBytes?: number
        readonly timeoutMs?: number
      },
    ) => Promise<OwnFetched>
  }
  /** Runs another tool of this server inside this call, without a payment of its own. */
  readonly runTool: (slug: string, input: unknown) => Promise<unknown>
}

/** A tool of the operator's own, as `defineTool` takes it. What is left out has a value that suits most. */
export type OwnTool<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  readonly name: string
  /** Verb first: what it does, when to call it, when not; 20 to 500 characters. */
  readonly description: string
  /** US dollars per call, such as `0.01`, or `free`. */
  readonly price: string
  /** A zod object: what a caller sends. */
  readonly input: I
  /** What the caller gets; an answer that does not fit is not charged for. */
  readonly output: O
  /** At least one; shown on its page, tried by `tollgate test`. */
  readonly examples: readonly { readonly input: z.input<I>; readonly output: z.input<O> }[]
  /** The last part of its address; the name of its file or folder unless given. */
  readonly slug?: string
  readonly version?: string
  readonly category?: string
  readonly tags?: readonly string[]
  /** The longest a call may take; 15,000 unless given, at most 30,000; a third of it is what is promised. */
  readonly timeoutMs?: number
  /** How old an answer may be: seconds that it is kept, or `live`. */
  readonly freshness?: 'live' | number
  /** Addresses of the services that the answer comes from. */
  readonly sources?: readonly string[]
  /** JSON pointers (`*` for any item) of output fields whose text strangers wrote. */
  readonly untrusted?: readonly string[]
  /** Whether the holder of the access pass calls it free. */
  readonly pass?: boolean
  /** Outside requests that one call may make, where 40 are too few. */
  readonly requests?: number
  readonly limits?: readonly string[]
  readonly badAt?: readonly string[]
  /** What is missing before it can be sold, as a sentence, such as a key in the environment. */
  missing?(): string | undefined
  /** What the schema cannot say of an input; thrown before the price is told. @throws InvalidInputError */
  check?(input: z.output<I>): void
  /** Whatever it throws, the caller is not charged. */
  run(input: z.output<I>, context: OwnToolContext): Promise<z.input<O>> | z.input<O>
}
