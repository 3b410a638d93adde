import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { ConfigError } from '../../platform/config-error.ts'
import type { FacilitatorConfig } from '../../platform/facilitator-config.ts'
import type { Log } from '../../platform/log.ts'
import { readSecretFile } from '../../platform/secret-file.ts'
import { type Authorize, createAuthorize } from './credentials.ts'
import type { FacilitatorClient } from './facilitator.ts'
import { createFacilitators, type Facilitators } from './facilitators.ts'
import { createHostedFacilitator } from './hosted.ts'

export type OpenParts = { readonly config: Config; readonly clock: Clock; readonly log: Log }

/** Opens the facilitators as configured, in their order. @throws ConfigError where a key cannot be used. */
export async function openFacilitators(parts: OpenParts): Promise<Facilitators> {
  const clients = await Promise.all(parts.config.facilitators.map((one) => clientOf(one, parts)))
  return createFacilitators({ clients, clock: parts.clock, log: parts.log })
}

async function clientOf(one: FacilitatorConfig, { config, clock }: OpenParts): Promise<FacilitatorClient> {
  if (one.kind === 'self') throw new ConfigError(['TOLLGATE_FACILITATOR_URLS: self is not built yet'])
  const authorize = one.key === undefined ? undefined : await authorizeOf(one.key, clock.now)
  return createHostedFacilitator({
    url: one.url,
    network: config.network,
    ...(authorize === undefined ? {} : { authorize }),
  })
}

async function authorizeOf(
  { scheme, file }: { readonly scheme: Parameters<typeof createAuthorize>[0]; readonly file: string },
  now: () => number,
): Promise<Authorize> {
  const variable = 'TOLLGATE_FACILITATOR_KEYS'
  const text = await readSecretFile(file, variable)
  try {
    return createAuthorize(scheme, text, now)
  } catch (error) {
    throw new ConfigError([`${variable}: ${scheme}: ${error instanceof Error ? error.message : 'not a key'}`])
  }
}
