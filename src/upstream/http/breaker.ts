import {
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  type IBreaker,
  SamplingBreaker,
} from 'cockatiel'

/** What went wrong: no answer in time, no connection, a status of failure, or a body that is not what it should be. */
export type OutageReason = 'timeout' | 'connection' | 'status' | 'body'

/** A failure that says something about the service, not about the one request. */
export class Outage extends Error {
  readonly reason: OutageReason
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(
    reason: OutageReason,
    message: string,
    options: { cause?: unknown; retryable: boolean; retryAfterMs?: number | undefined },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Outage'
    this.reason = reason
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Stops asking a service that is down: after 5 failures in a row, or more than half of 20 in 30 seconds. */
export function createBreaker(): CircuitBreakerPolicy {
  return circuitBreaker(
    handleWhen((error) => error instanceof Outage),
    {
      halfOpenAfter: new ExponentialBackoff({ initialDelay: 5_000, maxDelay: 60_000 }),
      breaker: eitherOf(
        new ConsecutiveBreaker(5),
        new SamplingBreaker({ threshold: 0.5, duration: 30_000, minimumRps: 20 / 30 }),
      ),
    },
  )
}

/** What a breaker's state says about the service behind it. */
export function healthOf(breaker: CircuitBreakerPolicy): 'ok' | 'degraded' | 'down' {
  if (breaker.state === CircuitState.Closed) return 'ok'
  return breaker.state === CircuitState.HalfOpen ? 'degraded' : 'down'
}

function eitherOf(first: IBreaker, second: IBreaker): IBreaker {
  return {
    state: undefined,
    success: (state) => {
      first.success(state)
      second.success(state)
    },
    failure: (state) => {
      const [one, other] = [first.failure(state), second.failure(state)]
      return one || other
    },
  }
}
