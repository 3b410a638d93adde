import type { ServiceCalls } from './messages.ts'

/** Counts in a thread how its questions to services ended, until the server is told. */
export function createServiceCalls() {
  let counts = new Map<string, ServiceCalls>()
  return {
    onOutcome: (service: string, isAnswered: boolean): void => {
      const { answered, failed } = counts.get(service) ?? { answered: 0, failed: 0 }
      counts.set(service, {
        service,
        answered: answered + (isAnswered ? 1 : 0),
        failed: failed + (isAnswered ? 0 : 1),
      })
    },
    takeCalls: (): readonly ServiceCalls[] => {
      const taken = [...counts.values()]
      counts = new Map()
      return taken
    },
  } as const
}
