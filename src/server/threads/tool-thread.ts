import type { MessagePort } from 'node:worker_threads'

import type { RunTool } from '../../call/run-tool.ts'
import { toCallError } from '../../errors.ts'
import type { Tool } from '../../tool/tool.ts'
import { failureOf, type FromThread, type ToThread, type UpstreamHealth } from './messages.ts'

/** How often a thread shows that it is not stuck. */
const beatEveryMs = 50

export type ToolThreadParts = {
  readonly port: MessagePort
  /** One number that grows while the thread's event loop turns. */
  readonly beats: Int32Array
  readonly runTool: RunTool
  readonly toolOf: (slug: string) => Tool | undefined
  readonly health: () => UpstreamHealth
  readonly close: () => Promise<void>
}

/** Serves the runs that a server sends to this thread, until it says that there are no more. */
export function serveRuns({ port, beats, runTool, toolOf, health, close }: ToolThreadParts): void {
  const running = new Map<number, AbortController>()
  const show = (): number => Atomics.add(beats, 0, 1)
  show()
  const beat = setInterval(show, beatEveryMs)
  const send = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, [...transfer])

  async function run({ id, slug, input, entry, passHolder }: Extract<ToThread, { kind: 'run' }>): Promise<void> {
    const abort = new AbortController()
    running.set(id, abort)
    try {
      const tool = toolOf(slug)
      if (tool === undefined) throw new Error(`This thread has no tool "${slug}".`)
      const answer = await runTool({ tool, input, entry, passHolder, signal: abort.signal })
      // Small buffers share their memory with others, and what is handed over is gone from here.
      const body = new Uint8Array(answer)
      send({ kind: 'answer', id, body, health: health() }, [body.buffer])
    } catch (error) {
      send({ kind: 'failure', id, failure: failureOf(toCallError(error)), health: health() })
    } finally {
      running.delete(id)
      // What still waits for something on behalf of this run is of no use any more.
      abort.abort()
    }
  }

  port.on('message', (message: ToThread) => {
    if (message.kind === 'run') void run(message)
    else if (message.kind === 'abort') running.get(message.id)?.abort()
    else {
      clearInterval(beat)
      void close().finally(() => send({ kind: 'closed' }))
    }
  })
}
