import { Worker } from 'node:worker_threads'

import pLimit from 'p-limit'

import type { RunTool, ToolRun } from '../../call/run-tool.ts'
import { CallError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Tool } from '../../tool/tool.ts'
import { errorOf, type FromThread, type ToThread, type UpstreamHealth } from './messages.ts'

/**
 * Runs tools in other threads than the one that handles money, so that no data from outside, however it is made, can
 * hold up a payment. A thread that does not turn its event loop for too long, or needs too much memory, is replaced;
 * what else was running there is begun once more, each in a thread of its own, so that only the guilty run fails.
 */
export type ToolThreads = {
  readonly runTool: RunTool
  /** What the last answers in all threads say of each service; the worst counts. */
  readonly health: () => UpstreamHealth
  readonly close: () => Promise<void>
}

export type ToolThreadLimits = {
  /** Threads for tools whose data strangers choose. */
  readonly foreignThreads: number
  /** A thread that does not turn its event loop for so long is ended. */
  readonly stuckMs: number
  /** How long a thread may take to load. */
  readonly loadMs: number
  /** JavaScript heap of one thread. */
  readonly heapMb: number
  /** Runs that are begun once more at one time, each alone. */
  readonly alone: number
}

export type ToolThreadsParts = {
  /** The module that calls `serveRuns`. */
  readonly module: URL
  /** What that module needs; it is cloned. */
  readonly data: unknown
  readonly clock: Clock
  readonly log: Log
  readonly limits?: Partial<ToolThreadLimits>
}

const defaultLimits: ToolThreadLimits = { foreignThreads: 2, stuckMs: 3_000, loadMs: 30_000, heapMb: 512, alone: 2 }
const lookEveryMs = 100
const closeMs = 1_000

type Run = ToolRun & {
  readonly id: number
  readonly resolve: (body: Uint8Array) => void
  readonly reject: (error: unknown) => void
}

type Thread = {
  readonly worker: Worker
  readonly beats: Int32Array
  readonly runs: Map<number, Run>
  /** Whether one run has it for itself. */
  readonly alone: boolean
  /** The last beat that was seen, and for how many looks it has stayed the same. */
  seen: number
  looks: number
  closed: (() => void) | undefined
}

/** How a thread came to its end, in the words of the log. */
type End = 'stuck' | 'failed'

export function createToolThreads({ module, data, clock, log, limits: given }: ToolThreadsParts): ToolThreads {
  const limits = { ...defaultLimits, ...given }
  /** For how many looks a thread may show nothing; before its first beat it is still loading. */
  const patience = ({ seen }: Thread): number => (seen > 0 ? limits.stuckMs : limits.loadMs) / lookEveryMs
  const threads = new Map<string, Thread>()
  const lonely = new Set<Thread>()
  const takeTurns = pLimit(limits.alone)
  const healths = new Map<Thread, UpstreamHealth>()
  const over = new AbortController()
  let nextId = 0
  let looking = false

  function open(alone: boolean): Thread {
    const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const worker = new Worker(module, {
      workerData: { data, beats },
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
      // Standard output belongs to whoever started the process; on stdio it is the protocol.
      stdout: false,
    })
    const thread: Thread = { worker, beats, runs: new Map(), alone, seen: -1, looks: 0, closed: undefined }
    worker.on('message', (message: FromThread) => take(thread, message))
    worker.on('error', (error) => replace(thread, 'failed', error))
    worker.on('messageerror', (error) => replace(thread, 'failed', error))
    worker.on('exit', () => {
      thread.closed?.()
      replace(thread, 'failed', undefined)
    })
    // A thread that has nothing to do keeps no process alive.
    worker.unref()
    return thread
  }

  function take(thread: Thread, message: FromThread): void {
    if (message.kind === 'closed') {
      thread.closed?.()
      return
    }
    healths.set(thread, message.health)
    const run = thread.runs.get(message.id)
    thread.runs.delete(message.id)
    if (message.kind === 'answer') run?.resolve(message.body)
    else run?.reject(errorOf(message.failure))
  }

  /** The thread that tools of one kind share; a tool stays with its thread, which remembers its answers. */
  function threadFor(tool: Tool): Thread {
    if (tool.foreignData !== true) return named('own')
    const first = hashOf(tool.slug) % limits.foreignThreads
    const order = Array.from({ length: limits.foreignThreads }, (_, step) => (first + step) % limits.foreignThreads)
    // A thread that has just missed a look is busy with one run; the next one is free sooner.
    const free = order.find((index) => (threads.get(`foreign ${index}`)?.looks ?? 0) < 2)
    return named(`foreign ${free ?? first}`)
  }

  function named(name: string): Thread {
    const known = threads.get(name)
    if (known !== undefined) return known
    const thread = open(false)
    threads.set(name, thread)
    return thread
  }

  function start(thread: Thread, run: Run): void {
    if (run.signal.aborted || over.signal.aborted) {
      run.reject(run.signal.reason ?? stopping())
      return
    }
    thread.runs.set(run.id, run)
    const { id, tool, input, entry, passHolder, signal } = run
    post(thread, { kind: 'run', id, slug: tool.slug, input, entry, passHolder })
    signal.addEventListener('abort', () => giveUp(thread, run), { once: true })
    void look()
  }

  function giveUp(thread: Thread, run: Run): void {
    if (!thread.runs.has(run.id)) return
    post(thread, { kind: 'abort', id: run.id })
    run.reject(run.signal.reason)
  }

  /** Looks whether the threads turn, as long as one of them has work. */
  async function look(): Promise<void> {
    if (looking) return
    looking = true
    const busy = (): Thread[] => [...threads.values(), ...lonely].filter(({ runs }) => runs.size > 0)
    // Looks are counted, not milliseconds: a process that was frozen has not been looking either.
    for (let all = busy(); all.length > 0 && !over.signal.aborted; all = busy()) {
      for (const thread of all) {
        const beat = Atomics.load(thread.beats, 0)
        thread.looks = beat === thread.seen ? thread.looks + 1 : 0
        thread.seen = beat
        if (thread.looks >= patience(thread)) replace(thread, 'stuck', undefined)
      }
      await clock.sleep(lookEveryMs, over.signal)
    }
    looking = false
  }

  function replace(thread: Thread, end: End, cause: unknown): void {
    for (const [name, known] of threads) if (known === thread) threads.delete(name)
    lonely.delete(thread)
    healths.delete(thread)
    const runs = [...thread.runs.values()]
    thread.runs.clear()
    if (end === 'stuck') void thread.worker.terminate()
    if (runs.length === 0) return
    log.error('thread.replaced', {
      end,
      alone: thread.alone,
      tools: runs.map(({ tool }) => tool.slug),
      ...(cause === undefined ? {} : { cause }),
    })
    for (const run of runs) {
      // The only run of a thread is the one that ended it.
      if (thread.alone || runs.length === 1) run.reject(tooMuch(cause))
      else void takeTurns(() => runAlone(run))
    }
  }

  function runAlone(run: Run): Promise<void> {
    const thread = open(true)
    lonely.add(thread)
    return new Promise<void>((resolve) => {
      const ended = (): void => {
        lonely.delete(thread)
        healths.delete(thread)
        void thread.worker.terminate()
        resolve()
      }
      start(thread, {
        ...run,
        resolve: (body) => {
          ended()
          run.resolve(body)
        },
        reject: (error) => {
          ended()
          run.reject(error)
        },
      })
    })
  }

  function post(thread: Thread, message: ToThread): void {
    thread.worker.postMessage(message)
  }

  async function end(thread: Thread): Promise<void> {
    const closed = new Promise<void>((resolve) => (thread.closed = resolve))
    post(thread, { kind: 'close' })
    await Promise.race([closed, clock.sleep(closeMs)])
    await thread.worker.terminate()
  }

  return {
    runTool: (asked) =>
      new Promise((resolve, reject) => {
        nextId += 1
        start(threadFor(asked.tool), { ...asked, id: nextId, resolve, reject })
      }),
    health: () => worstOf([...healths.values()]),
    close: async () => {
      over.abort()
      await Promise.all([...threads.values(), ...lonely].map(end))
    },
  }
}

function stopping(): CallError {
  return new CallError('unavailable', 'The server is stopping.', { nextStep: 'Ask again in a few seconds.' })
}

function tooMuch(cause: unknown): CallError {
  return new CallError('deadline_exceeded', 'This call needs more work or memory than a call may have.', {
    nextStep: 'Ask for less at once.',
    cause,
  })
}

/** The same tool goes to the same thread in every process. */
function hashOf(text: string): number {
  return Buffer.from(text).reduce((hash, byte) => (hash * 31 + byte) % 1_000_003, 7)
}

const badness = { ok: 0, degraded: 1, down: 2 } as const

/** One map of several; of what two know, the worse. */
export function worstOf(maps: readonly UpstreamHealth[]): UpstreamHealth {
  const worst = new Map<string, UpstreamHealth[string]>()
  for (const [name, health] of maps.flatMap((map) => Object.entries(map))) {
    const known = worst.get(name)
    if (known === undefined || badness[health.status] > badness[known.status]) worst.set(name, health)
  }
  return Object.fromEntries(worst)
}
