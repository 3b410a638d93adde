import type { Log } from '../platform/log.ts'
import type { AiToolDocument } from './manifest.ts'
import { planOf } from './plan.ts'
import type { RegisteredTools, Watch } from './registered.ts'

type WatchedServer = {
  readonly registered: RegisteredTools
  /** As they are served now. */
  readonly manifests: () => readonly AiToolDocument[]
  readonly baseUrl: string
  /** Wallet whose entries count. */
  readonly creator: string
}

/** Says in the log how the registry differs from what is served, and tells of every reading that has other ids. */
export function watchRegistry(
  { registered, manifests, baseUrl, creator }: WatchedServer,
  log: Log,
  onNewIds: () => void,
): Watch {
  const idsNow = (): string => [...registered.known()].join(' ')
  let ids = idsNow()
  let drift = ''
  return registered.watch(
    ({ entries }) => {
      const { differences } = planOf({ entries }, { tools: manifests(), baseUrl, creator })
      const found = JSON.stringify(differences)
      if (differences.length > 0 && found !== drift) {
        log.warn('registry.drift', { differences, fix: 'Run `tollgate registry plan` for the whole comparison.' })
      }
      drift = found
      if (idsNow() !== ids) onNewIds()
      ids = idsNow()
    },
    (cause) => log.warn('registry.unreadable', { cause }),
  )
}
