import type { Database } from './database.ts'
import type { Write } from './group-commit.ts'
import { outcomeColumns, type OutcomeStore } from './outcomes.ts'

/** How calls ended, by the hour, in SQLite. */
export function createSqliteOutcomes(db: Database, write: Write): OutcomeStore {
  // Its `min` and `max` of several values are null where one of them is.
  const either = (known: string): string => `coalesce(${known}, excluded.${known})`
  const other = (known: string): string => `coalesce(excluded.${known}, ${known})`
  const joined = (of: 'min' | 'max', known: string): string => `${known} = ${of}(${either(known)}, ${other(known)})`
  const add = db.prepare(`insert into outcomes (${outcomeColumns}) values (?, ?, ?, ?, ?, ?, ?)
    on conflict (hour, kind, name) do update set answered = answered + excluded.answered,
      failed = failed + excluded.failed, ${joined('min', 'first_failed_at')}, ${joined('max', 'last_failed_at')}`)
  const drop = db.prepare('delete from outcomes where hour < ?')
  return {
    add: (outcomes) =>
      write(() => {
        for (const { hour, kind, name, answered, failed, firstFailedAt, lastFailedAt } of outcomes)
          add.run(hour, kind, name, answered, failed, firstFailedAt, lastFailedAt)
      }),
    drop: (hour) => write(() => void drop.run(hour)),
  }
}
