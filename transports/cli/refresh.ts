import { CallError } from '../../src/errors.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'
import { localUrlOf, settingsOf } from '../../src/server/from-config.ts'
import { createLocalServer } from '../../src/server/local.ts'
import { refreshAll, type Refreshed } from '../../src/server/refresh.ts'
import { ownToolSettings, type RunCommand } from './command.ts'

/** A service that was busy may answer soon; a day without a snapshot is long. */
const retryMs = 600_000
const shortestMs = 60_000
const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/**
 * Makes the snapshots that tools answer from, once or on a schedule. Exit code 1 where one could not be made, or none.
 */
export const run: RunCommand = async ({ args, out, note, parts: partsOf, untilStopped }) => {
  const everyMs = everyOf(args.valueOf('every'))
  const parts = await partsOf(createLog(note, systemClock.now), ownToolSettings(args))
  const { toolList, upstreams } = createLocalServer(parts)
  const settings = settingsOf(parts.config, localUrlOf(parts.config))
  const stopping = new AbortController()
  if (everyMs !== undefined) void untilStopped().then(() => stopping.abort())
  const now = (): Date => new Date(parts.clock.now())
  try {
    for (;;) {
      const done = await refreshAll({ tools: toolList.all, settings, upstreams, now, signal: stopping.signal })
      if (stopping.signal.aborted) return 0
      for (const one of done) out(args.has('json') ? JSON.stringify({ at: now(), ...one }) : lineOf(one))
      const isWhole =
        done.some(({ outcome }) => outcome === 'made') && !done.some(({ outcome }) => outcome === 'failed')
      if (everyMs === undefined) return isWhole ? 0 : 1
      await parts.clock.sleep(isWhole ? everyMs : Math.min(everyMs, retryMs), stopping.signal)
      if (stopping.signal.aborted) return 0
    }
  } finally {
    await upstreams.close()
  }
}

function lineOf({ slug, outcome, found }: Refreshed): string {
  return `${outcome.padEnd(14)}  ${slug}: ${found}`
}

function everyOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  const everyMs = unit === 'm' || unit === 'h' || unit === 'd' ? Number(count) * unitMs[unit] : 0
  if (everyMs < shortestMs) {
    throw new CallError('invalid_input', '--every takes a time such as 24h, 90m or 1d.', { nextStep: '' })
  }
  return everyMs
}
