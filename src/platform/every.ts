import type { Clock } from './clock.ts'

export type EveryParts = {
  /** How long it rests between two turns. */
  readonly pauseMs: number
  /** Whether the first turn comes after a rest. */
  readonly restsFirst?: boolean
  readonly clock: Clock
  readonly turn: (stopping: AbortSignal) => Promise<void>
  /** A turn that fails is reported and ends nothing. */
  readonly onFailure: (cause: unknown) => void
}

/** Takes turns until it is stopped; `stop` resolves when the last turn is over. */
export function repeatEvery({ pauseMs, restsFirst = false, clock, turn, onFailure }: EveryParts): {
  readonly stop: () => Promise<void>
} {
  const stopping = new AbortController()
  const loop = async (): Promise<void> => {
    if (restsFirst) await clock.sleep(pauseMs, stopping.signal)
    while (!stopping.signal.aborted) {
      try {
        await turn(stopping.signal)
      } catch (cause) {
        onFailure(cause)
      }
      await clock.sleep(pauseMs, stopping.signal)
    }
  }
  const running = loop()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
