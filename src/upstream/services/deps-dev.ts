import { z } from 'zod'

import { UpstreamError } from '../../errors.ts'
import type { BoundHttp } from '../http/bound.ts'

/** What deps.dev knows of a project. Description and homepage are the project's own text: untrusted. */
type DepsDevProject = {
  readonly stars: number
  readonly forks: number
  readonly openIssues: number
  /** SPDX identifier, or `non-standard`; null where none is known. */
  readonly license: string | null
  readonly description: string
  readonly homepage: string
}

/** The deps.dev service of Open Source Insights. */
export type DepsDev = {
  /** The project of `owner/name` on GitHub; null when the service does not know it. */
  readonly project: (fullName: string) => Promise<DepsDevProject | null>
}

const projectSchema = z.object({
  starsCount: z.number().int(),
  forksCount: z.number().int(),
  openIssuesCount: z.number().int(),
  license: z.string().nullish(),
  description: z.string().nullish(),
  homepage: z.string().nullish(),
})

/** Builds the client of deps.dev. */
export function createDepsDev({ http }: { readonly http: BoundHttp }): DepsDev {
  return {
    project: async (fullName) => {
      const path = `/v3/projects/${encodeURIComponent(`github.com/${fullName}`)}`
      const answer = await http.request({ path, accept: [404] })
      if (answer.status === 404) return null
      const parsed = projectSchema.safeParse(answer.body)
      if (!parsed.success) throw new UpstreamError('depsdev', undefined, { cause: parsed.error })
      const { starsCount, forksCount, openIssuesCount, license, description, homepage } = parsed.data
      return {
        stars: starsCount,
        forks: forksCount,
        openIssues: openIssuesCount,
        license: license === null || license === undefined || license === '' ? null : license,
        description: description ?? '',
        homepage: homepage ?? '',
      }
    },
  }
}
