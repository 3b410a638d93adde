import { z } from 'zod'

import { UpstreamError } from '../../errors.ts'
import type { BoundHttp } from '../http/bound.ts'
import { textOrNull as text } from './lenient.ts'
import type { VerifiedSource } from './verified-source.ts'

/** A contract whose source the registry has. Names and paths are text of whoever published them: untrusted. */
type SourcifyContract = VerifiedSource & {
  readonly match: 'full' | 'partial'
}

/** The Sourcify registry of published source. */
export type Sourcify = {
  readonly origin: string
  /** One request; null where nobody published source. @throws UpstreamError */
  readonly contract: (address: string) => Promise<SourcifyContract | null>
}

const contractSchema = z.looseObject({
  match: z.enum(['exact_match', 'match']).nullable(),
  verifiedAt: text,
  abi: z.array(z.unknown()).nullish().catch(null),
  compilation: z
    .looseObject({
      language: text,
      compilerVersion: text,
      name: text,
      compilerSettings: z
        .looseObject({
          evmVersion: text,
          optimizer: z
            .looseObject({ enabled: z.boolean().nullish(), runs: z.number().nullish() })
            .nullish()
            .catch(null),
        })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
  sources: z
    .record(z.string(), z.looseObject({ content: z.string().catch('') }))
    .nullish()
    .catch(null),
})

/** Builds the client of Sourcify for one chain. */
export function createSourcify({ http, chainId }: { readonly http: BoundHttp; readonly chainId: number }): Sourcify {
  return {
    origin: http.origin,
    contract: async (address) => {
      const { status, body, fetchedAt } = await http.request({
        path: `/server/v2/contract/${chainId}/${address}?fields=abi,compilation,sources`,
        maxBytes: 8 * 1024 * 1024,
        accept: [404],
      })
      const parsed = contractSchema.safeParse(body)
      // Its 404 says so in JSON; another page is not an answer about this contract.
      if (!parsed.success) throw new UpstreamError('sourcify', undefined, { cause: parsed.error })
      const { match, compilation, sources, abi, verifiedAt } = parsed.data
      if (status === 404 || match === null) return null
      const optimizer = compilation?.compilerSettings?.optimizer
      return {
        match: match === 'exact_match' ? 'full' : 'partial',
        name: compilation?.name ?? null,
        language: compilation?.language ?? null,
        compilerVersion: compilation?.compilerVersion ?? null,
        evmVersion: compilation?.compilerSettings?.evmVersion ?? null,
        optimizationEnabled: optimizer?.enabled ?? null,
        optimizationRuns: optimizer?.runs ?? null,
        verifiedAt,
        abi: abi ?? null,
        files: Object.entries(sources ?? {}).map(([path, { content }]) => ({ path, characters: content.length })),
        fetchedAt,
      }
    },
  }
}
