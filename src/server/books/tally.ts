import type { Call, CallRequest, CallResult } from '../../call/call.ts'
import { CallError, toCallError } from '../../errors.ts'
import { PaymentRequiredError } from '../../payments/x402/required.ts'
import type { Clock } from '../../platform/clock.ts'
import { repeatEvery } from '../../platform/every.ts'
import type { Log } from '../../platform/log.ts'
import { hourMs, type Tally, type TallyKind, type TallyStore } from '../../store/tally.ts'

/** How often something happened since the process began. */
export type Counted = {
  readonly kind: TallyKind
  readonly tool: string
  readonly label: string
  readonly total: number
}

/** Counts what happens: in memory at once, in the store by the hour and a few times a minute. */
export type TallyKeeper = {
  readonly count: (kind: TallyKind, tool: string, label: string) => void
  /** A call that is counted, whatever becomes of it. */
  readonly counted: (call: Call) => Call
  /** All that was counted by this process. */
  readonly totals: () => Iterable<Counted>
  /** Writes what is not written yet; rejects where that cannot be done, and then keeps it. */
  readonly flush: () => Promise<void>
  /** Begins to write; `stop` writes the rest. */
  readonly start: () => { readonly stop: () => Promise<void> }
}

export type TallyParts = { readonly tallies: TallyStore; readonly clock: Clock; readonly log: Log }

const writeEveryMs = 10_000
const dropEveryMs = 3_600_000
/** About a quarter. */
const keptHours = 90 * 24
/** More than several hours have; what is more is lost while the store takes no writes, so that memory stays bounded. */
const mostWaiting = 20_000

type Cell = { readonly kind: TallyKind; readonly tool: string; readonly label: string; total: number; taken: number }

export function createTally({ tallies, clock, log }: TallyParts): TallyKeeper {
  const cells: Cell[] = []
  /** By kind, tool and label: a key of all three would be written anew for every request. */
  const found = new Map<TallyKind, Map<string, Map<string, Cell>>>()
  let waiting = new Map<string, Tally>()
  let hour = Math.floor(clock.now() / hourMs)

  const wait = (tally: Tally): void => {
    const key = `${tally.hour} ${tally.kind} ${tally.tool} ${tally.label}`
    const before = waiting.get(key)
    if (before !== undefined) waiting.set(key, { ...before, count: before.count + tally.count })
    else if (waiting.size < mostWaiting) waiting.set(key, tally)
  }

  /** What was counted since the last time belongs to the hour that is, or was until now. */
  const collect = (): void => {
    for (const cell of cells) {
      const { kind, tool, label, total, taken } = cell
      if (total === taken) continue
      wait({ hour, kind, tool, label, count: total - taken })
      cell.taken = total
    }
  }

  const begin = (kind: TallyKind, tool: string, label: string): Cell => {
    const cell = { kind, tool, label, total: 0, taken: 0 }
    cells.push(cell)
    const ofKind = found.get(kind) ?? new Map<string, Map<string, Cell>>()
    const ofTool = ofKind.get(tool) ?? new Map<string, Cell>()
    found.set(kind, ofKind.set(tool, ofTool.set(label, cell)))
    return cell
  }

  const count: TallyKeeper['count'] = (kind, tool, label) => {
    const now = Math.floor(clock.now() / hourMs)
    if (now !== hour) {
      collect()
      hour = now
    }
    const cell = found.get(kind)?.get(tool)?.get(label) ?? begin(kind, tool, label)
    cell.total += 1
  }

  const flush = async (): Promise<void> => {
    collect()
    if (waiting.size === 0) return
    const taken = waiting
    waiting = new Map()
    try {
      await tallies.add([...taken.values()])
    } catch (error) {
      // What was not written waits for the next time; what was counted meanwhile is added to it.
      for (const tally of taken.values()) wait(tally)
      throw error
    }
  }

  return {
    count,
    counted: (call) => countedCall(call, count),
    totals: () => cells,
    flush,
    start: () => startWriting({ tallies, clock, log }, flush),
  }
}

function startWriting({ tallies, clock, log }: TallyParts, flush: () => Promise<void>) {
  let dropAt = 0
  let fails = false
  const turn = async (): Promise<void> => {
    await flush()
    if (clock.now() >= dropAt) {
      dropAt = clock.now() + dropEveryMs
      await tallies.drop(Math.floor(clock.now() / hourMs) - keptHours)
    }
    fails = false
  }
  const onFailure = (cause: unknown): void => {
    // A store that is away is worth one line, not one every ten seconds.
    if (!fails) log.warn('tally.not_written', { cause })
    fails = true
  }
  const turns = repeatEvery({ pauseMs: writeEveryMs, restsFirst: true, clock, turn, onFailure })
  return {
    stop: async () => {
      await turns.stop()
      await turn().catch(onFailure)
    },
  }
}

function countedCall(call: Call, count: TallyKeeper['count']): Call {
  return async (request) => {
    try {
      const result = await call(request)
      if (!result.replayed) count('call', request.tool.slug, wayInOf(request, result))
      return result
    } catch (error) {
      countFailure(request, error, count)
      throw error
    }
  }
}

function countFailure({ tool }: CallRequest, error: unknown, count: TallyKeeper['count']): void {
  if (error instanceof PaymentRequiredError && error.refused === undefined) count('challenge', tool.slug, '')
  else count('failure', tool.slug, error instanceof CallError ? error.code : toCallError(error).code)
}

/**
 * How a call came in, as it is counted: by a payment of its own, money that was here, a pass, a daily allowance, or
 * free.
 */
function wayInOf({ tool }: Pick<CallRequest, 'tool'>, { entry, headers }: CallResult): string {
  if (entry === 'payment') return headers['tollgate-balance'] === undefined ? 'payment' : 'balance'
  return entry === 'free' && tool.access.mode === 'tiered' ? 'quota' : entry
}
