import { systemClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'
import { setPaused } from '../../src/server/pause.ts'
import type { CommandContext, RunCommand } from './command.ts'

export const run: RunCommand = (context) => leave(context, true)

/** Leaves the mark in the configured data folder, or takes it away, and says what that means. */
export async function leave({ args, out, note, parts }: CommandContext, paused: boolean): Promise<number> {
  const { config } = await parts(createLog(note, systemClock.now))
  await setPaused(config.dataDir, paused)
  if (args.has('json')) out(JSON.stringify({ paused, dataDir: config.dataDir }))
  else if (paused) note('Paused: within a second no new payment is taken. What was paid for is still answered.')
  else note('Payments are taken again.')
  return 0
}
