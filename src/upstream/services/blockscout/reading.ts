import type { z } from 'zod'

import { UpstreamError } from '../../../errors.ts'
import type { BoundHttp } from '../../http/bound.ts'
import type { HttpRequest } from '../../http/client.ts'

type Read<S extends z.ZodType> = { readonly data: z.output<S>; readonly fetchedAt: Date }

export type Reading = {
  /** Null where the explorer says that there is no such thing. @throws UpstreamError for an answer of another form. */
  readonly read: <S extends z.ZodType>(schema: S, request: HttpRequest) => Promise<Read<S> | null>
  /** As `read`, where the path always exists. */
  readonly readAlways: <S extends z.ZodType>(schema: S, request: HttpRequest) => Promise<Read<S>>
}

/** Source of a contract with its libraries can be large; only facts of it are kept. */
const maxBytes = 8 * 1024 * 1024

export function createReading(http: BoundHttp): Reading {
  async function read<S extends z.ZodType>(schema: S, request: HttpRequest): Promise<Read<S> | null> {
    const { status, body, fetchedAt } = await http.request({ maxBytes, accept: [404], ...request })
    if (status === 404) return null
    const parsed = schema.safeParse(body)
    if (!parsed.success) throw new UpstreamError('blockscout', undefined, { cause: parsed.error })
    return { data: parsed.data, fetchedAt }
  }

  /** As `read`, where the path always exists. */
  async function readAlways<S extends z.ZodType>(schema: S, request: HttpRequest): Promise<Read<S>> {
    const answer = await read(schema, { accept: [], ...request })
    if (answer === null) throw new UpstreamError('blockscout')
    return answer
  }

  return { read, readAlways }
}
