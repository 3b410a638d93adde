import { setPaused } from '../../src/server/pause.ts'
import type { CommandContext, RunCommand } from './command.ts'

export const run: RunCommand = (context) => leave(context, true)

/** Leaves the mark in the configured data folder, or takes it away, and says what that means. */
export async function leave({ args, out, note, config: readConfig }: CommandContext, paused: boolean): Promise<number> {
  const config = await readConfig()
  await setPaused(config.dataDir, paused)
  if (args.has('json')) out(JSON.stringify({ paused, dataDir: config.dataDir }))
  else if (paused) note('Paused: within a second no new payment is taken. What was paid for is still answered.')
  else note('Payments are taken again.')
  return 0
}
