import { z } from 'zod'

import { UpstreamError } from '../../errors.ts'
import type { BoundHttp } from '../http/bound.ts'

/** One result of the OpenSSF Scorecard. Reasons are text of the project scanned: untrusted. */
type ScorecardResult = {
  /** As the service says it: a day, or a time. */
  readonly date: string
  /** 0 to 10. */
  readonly score: number
  /** A check's score is -1 where it had nothing to look at. */
  readonly checks: readonly { readonly name: string; readonly score: number; readonly reason: string }[]
}

/** The OpenSSF Scorecard service. */
export type Scorecard = {
  /** The latest result for `owner/name` on GitHub; null when it was never scanned. */
  readonly result: (fullName: string) => Promise<ScorecardResult | null>
}

const resultSchema = z.object({
  date: z.string(),
  score: z.number(),
  checks: z
    .array(z.object({ name: z.string(), score: z.number().int(), reason: z.string().nullish() }))
    .nullish()
    .transform((checks) => (checks ?? []).map((check) => ({ ...check, reason: check.reason ?? '' }))),
})

/** Builds the client of the OpenSSF Scorecard. */
export function createScorecard({ http }: { readonly http: BoundHttp }): Scorecard {
  return {
    result: async (fullName) => {
      const path = `/projects/github.com/${fullName.split('/').map(encodeURIComponent).join('/')}`
      const answer = await http.request({ path, accept: [404] })
      if (answer.status === 404) return null
      const parsed = resultSchema.safeParse(answer.body)
      if (!parsed.success) throw new UpstreamError('scorecard', undefined, { cause: parsed.error })
      return parsed.data
    },
  }
}
