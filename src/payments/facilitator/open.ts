import { z } from 'zod'

import type { Ambient } from '../../platform/ambient.ts'
import type { Config } from '../../platform/config.ts'
import { ConfigError } from '../../platform/config-error.ts'
import type { FacilitatorConfig } from '../../platform/facilitator-config.ts'
import type { Failpoint } from '../../platform/failpoint.ts'
import { readSecretFile } from '../../platform/secret-file.ts'
import { type Authorize, createAuthorize } from './credentials.ts'
import type { FacilitatorClient } from './facilitator.ts'
import { createFacilitators, type Facilitators } from './facilitators.ts'
import { createHostedFacilitator } from './hosted.ts'
import type { SelfParts } from './self/self.ts'

export type OpenParts = Ambient & {
  readonly config: Config
  readonly onOutcome?: ((facilitator: string, isAnswered: boolean) => void) | undefined
  /** What settling by oneself takes. */
  readonly own: Pick<SelfParts, 'rpc' | 'refusalOf' | 'notes' | 'hold'> & { readonly failpoint: Failpoint }
}

/** Opens the facilitators as configured, in their order. @throws ConfigError where a key cannot be used. */
export async function openFacilitators(parts: OpenParts): Promise<Facilitators> {
  const clients = await Promise.all(parts.config.facilitators.map((one) => clientOf(one, parts)))
  return createFacilitators({ clients, clock: parts.clock, log: parts.log, onOutcome: parts.onOutcome })
}

async function clientOf(one: FacilitatorConfig, parts: OpenParts): Promise<FacilitatorClient> {
  const { config, clock } = parts
  if (one.kind === 'self') return selfOf(parts)
  const authorize = one.key === undefined ? undefined : await authorizeOf(one.key, clock.now)
  return createHostedFacilitator({
    url: one.url,
    network: config.network,
    ...(authorize === undefined ? {} : { authorize }),
  })
}

async function selfOf({ config, clock, log, own }: OpenParts): Promise<FacilitatorClient> {
  const { createSelfFacilitator } = await import('./self/self.ts')
  return createSelfFacilitator({
    ...own,
    network: config.network,
    chainId: config.chainId,
    privateKey: await readGasKey(config.gasKeyFile),
    ceiling: config.gasCeiling,
    clock,
    log,
  })
}

/** The key that pays the gas. No message ever has a part of it. @throws ConfigError */
async function readGasKey(path: string | undefined): Promise<`0x${string}`> {
  const variable = 'TOLLGATE_GAS_KEY_FILE'
  if (path === undefined) throw new ConfigError([`${variable}: is needed to settle by oneself`])
  const text = (await readSecretFile(path, variable)).trim()
  const key = z
    .templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)])
    .safeParse(text.startsWith('0x') ? text : `0x${text}`)
  if (key.success) return key.data
  throw new ConfigError([`${variable}: the file must hold one private key: 0x and 64 hex digits`])
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
