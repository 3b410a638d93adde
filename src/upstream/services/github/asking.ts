import { z } from 'zod'

import { UpstreamError } from '../../../errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { BoundHttp } from '../../http/bound.ts'
import type { HttpAnswer, HttpRequest } from '../../http/client.ts'
import { overviewAnswer, overviewOf, overviewQuery } from './overview.ts'
import type { GithubAnswer, GithubMiss, GithubOverview } from './types.ts'

export type GithubParts = {
  readonly http: BoundHttp
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly hasToken: boolean
}

const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' } as const
const redirects: readonly number[] = [301, 302, 307, 308]
const understood: readonly number[] = [...redirects, 401, 403, 404, 409, 410, 429, 451]
export type Limits = Pick<HttpRequest, 'maxBytes' | 'timeoutMs'>

/** The recursive tree of a large repository has 7 MB and takes its time. */
export const treeLimits: Limits = { maxBytes: 8 * 1024 * 1024, timeoutMs: 8_000 }
/** A hundred issues or releases with their texts. */
export const listLimits: Limits = { maxBytes: 8 * 1024 * 1024 }
/** A longer wait than this would cost the caller more than the answer is worth. */
const patienceSeconds = 3

const messageBody = z.object({ message: z.string() })

type Found = { readonly kind: 'found'; readonly value: HttpAnswer }

/** What was read, and the number of the last page where there are several. */
export type Page<T> = { readonly body: T; readonly lastPage: number | null }

export type GithubAsking = {
  /** Asks and reads; a body of another form than the schema's is an outage. @throws UpstreamError */
  readonly read: <T extends z.ZodType>(
    path: string,
    schema: T,
    limits?: Limits,
  ) => Promise<GithubAnswer<Page<z.output<T>>>>
  readonly overview: (fullName: string, since: Date) => Promise<GithubAnswer<GithubOverview>>
}

/** Asks GitHub: follows a renamed repository, waits out a short brake on bursts, tells a miss from an outage. */
export function createAsking({ http, clock, signal }: GithubParts): GithubAsking {
  async function ask(path: string, limits: Limits = {}): Promise<Found | GithubMiss> {
    const first = await askOnce(path, limits)
    const waitSeconds = first.kind === 'limited' && first.limit === 'secondary' ? first.retryAfterSeconds : null
    if (waitSeconds === null || waitSeconds > patienceSeconds) return first
    await clock.sleep(waitSeconds * 1000, signal)
    return askOnce(path, limits)
  }

  async function askOnce(path: string, limits: Limits, hops = 0): Promise<Found | GithubMiss> {
    const answer = await http.request({
      path,
      headers,
      accept: understood,
      ...limits,
    })
    if (redirects.includes(answer.status)) {
      // A renamed repository answers with its number. Only the path is followed: the token stays with this service.
      const next = URL.parse(answer.headers['location'] ?? '', 'https://api.github.com')
      if (next === null || hops === 2) return { kind: 'absent' }
      return askOnce(next.pathname + next.search, limits, hops + 1)
    }
    return missOf(answer, clock.now()) ?? { kind: 'found', value: answer }
  }

  async function read<T extends z.ZodType>(
    path: string,
    schema: T,
    limits: Limits = {},
  ): Promise<GithubAnswer<Page<z.output<T>>>> {
    const answer = await ask(path, limits)
    if (answer.kind !== 'found') return answer
    const body = parsed(schema, answer.value.body)
    return { kind: 'found', value: { body, lastPage: lastPageOf(answer.value.headers['link']) } }
  }

  async function overview(fullName: string, since: Date): Promise<GithubAnswer<GithubOverview>> {
    const [owner, name] = fullName.split('/')
    const answer = await http.request({
      method: 'POST',
      path: '/graphql',
      headers,
      accept: understood,
      ...listLimits,
      body: { query: overviewQuery, variables: { owner, name, since: since.toISOString() } },
    })
    const miss = missOf(answer, clock.now())
    if (miss !== undefined) return miss
    const { data, errors } = parsed(overviewAnswer, answer.body)
    const repository = data?.repository ?? null
    if (repository !== null) return { kind: 'found', value: overviewOf(repository) }
    // GraphQL tells its failures in a body of status 200.
    const types = errors?.map(({ type }) => type) ?? []
    if (types.includes('NOT_FOUND')) return { kind: 'absent' }
    if (types.includes('FORBIDDEN')) return { kind: 'refused' }
    if (types.includes('RATE_LIMITED')) {
      return { kind: 'limited', limit: 'quota', retryAfterSeconds: resetIn(answer.headers, clock.now()) }
    }
    throw new UpstreamError('github', undefined, { cause: errors })
  }

  return { read, overview }
}

/** What a status says when it is not the thing asked for. @throws UpstreamError when the token is refused. */
function missOf(answer: HttpAnswer, now: number): GithubMiss | undefined {
  if (answer.status === 401) {
    throw new UpstreamError('github', 'GitHub refuses the token this server is configured with.', {
      nextStep: "The server's operator must replace the GitHub token.",
    })
  }
  if (answer.status === 403 || answer.status === 429) return limitOf(answer, now)
  return missByStatus[answer.status]
}

const missByStatus: Readonly<Record<number, GithubMiss>> = {
  202: { kind: 'pending' },
  204: { kind: 'empty' },
  404: { kind: 'absent' },
  409: { kind: 'empty' },
  410: { kind: 'absent' },
  451: { kind: 'blocked' },
}

function limitOf(answer: HttpAnswer, now: number): GithubMiss {
  const message = messageBody.safeParse(answer.body).data?.message ?? ''
  const retryAfter = answer.headers['retry-after']
  if (answer.headers['x-ratelimit-remaining'] === '0') {
    return { kind: 'limited', limit: 'quota', retryAfterSeconds: resetIn(answer.headers, now) }
  }
  if (answer.status === 429 || retryAfter !== undefined || /secondary rate limit/i.test(message)) {
    const seconds = retryAfter !== undefined && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
    return { kind: 'limited', limit: 'secondary', retryAfterSeconds: seconds }
  }
  return /rate limit/i.test(message)
    ? { kind: 'limited', limit: 'quota', retryAfterSeconds: null }
    : { kind: 'refused' }
}

function resetIn(from: Readonly<Record<string, string>>, now: number): number | null {
  const reset = Number(from['x-ratelimit-reset'] ?? Number.NaN)
  return Number.isFinite(reset) ? Math.max(0, Math.ceil(reset - now / 1000)) : null
}

function lastPageOf(link: string | undefined): number | null {
  const url = /<([^>]{1,2000})>; rel="last"/.exec(link ?? '')?.[1]
  const page = url === undefined ? Number.NaN : Number(URL.parse(url)?.searchParams.get('page') ?? Number.NaN)
  return Number.isSafeInteger(page) && page > 0 ? page : null
}

function parsed<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const result = schema.safeParse(body)
  if (!result.success) {
    throw new UpstreamError('github', 'GitHub answered in a form this server does not know.', { cause: result.error })
  }
  return result.data
}
