import { join, resolve } from 'node:path'

import { CallError } from '../../src/errors.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { restoreSqlite } from '../../src/store/move/backup.ts'
import { asked, told } from './backup.ts'
import type { RunCommand } from './command.ts'

/** Puts a backup in the place of the ledger of a server that is stopped. */
export const run: RunCommand = async (context) => {
  const { args, note, config: readConfig } = context
  const [file] = args.positionals
  if (file === undefined)
    throw new CallError('invalid_input', 'tollgate restore takes the backup to restore.', { nextStep: '' })
  const config = await readConfig()
  if (config.databaseUrl !== undefined) {
    throw new CallError('invalid_input', 'A backup is restored into a file.', {
      nextStep: 'Restore it without DATABASE_URL, then move it: tollgate ledger migrate --to postgres://…',
    })
  }
  const ledger = join(config.dataDir, 'ledger.db')
  const isConfirmed = args.has('confirm')
  const { former, ...verified } = await asked(() =>
    restoreSqlite(resolve(file), ledger, { isConfirmed, now: systemClock.now() }),
  )
  told(context, verified, `${ledger} holds`, { ledger, former: former ?? null })
  if (former !== undefined && !args.has('json')) note(`The ledger that was there is ${former} now.`)
  return 0
}
