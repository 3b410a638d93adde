import {
  directoryPath,
  type KeyDirectory,
  readDirectory,
  SignatureError,
  type SignedRequest,
  type SignedResponse,
  verifyResponse,
} from '../../src/platform/http-signature.ts'

export type VerifierParts = {
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
}

export type Verifier = {
  /** @throws SignatureError where the answer is not surely that of the server at the request's address. */
  readonly verify: (response: SignedResponse, request: SignedRequest) => Promise<void>
}

const keptMs = 300_000
const directoryMs = 5_000
const maxDirectoryBytes = 65_536

type Kept = { readonly directory: KeyDirectory; readonly readAt: number }

/** Checks answers by the keys that their servers show, and remembers the keys for five minutes. */
export function createVerifier({ fetch, now }: VerifierParts): Verifier {
  const kept = new Map<string, Kept>()

  const read = async (origin: string): Promise<Kept> => {
    const url = `${origin}${directoryPath}`
    const answer = await ask(fetch, url)
    const read = { directory: readDirectory(answer, url, now()), readAt: now() }
    kept.set(origin, read)
    return read
  }

  return {
    verify: async (response, request) => {
      const { origin } = new URL(request.url)
      const known = kept.get(origin)
      if (known !== undefined && known.readAt + keptMs > now()) {
        try {
          verifyResponse(response, request, known.directory, now())
          return
        } catch (error) {
          // The server may sign with a key that it did not have when we looked; the fresh directory decides.
          if (!(error instanceof SignatureError)) throw error
        }
      }
      verifyResponse(response, request, (await read(origin)).directory, now())
    },
  }
}

async function ask(fetch: typeof globalThis.fetch, url: string): Promise<SignedResponse> {
  try {
    // A directory somewhere else says nothing about this server.
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(directoryMs) })
    const body = Buffer.from(await answer.arrayBuffer())
    if (body.length > maxDirectoryBytes) throw new Error('too long')
    return { status: answer.status, headers: answer.headers, body }
  } catch {
    throw new SignatureError('the directory of the keys cannot be read')
  }
}
