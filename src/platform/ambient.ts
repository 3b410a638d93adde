import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/** What nearly every part is given: the time, and where it says what happened. */
export type Ambient = { readonly clock: Clock; readonly log: Log }
