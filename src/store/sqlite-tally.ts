import type { Database } from './database.ts'
import type { Write } from './group-commit.ts'
import type { TallyStore } from './tally.ts'

/** Hourly counts in SQLite. */
export function createSqliteTallies(db: Database, write: Write): TallyStore {
  const add = db.prepare(`insert into tallies (hour, kind, tool, label, used) values (?, ?, ?, ?, ?)
    on conflict (hour, kind, tool, label) do update set used = used + excluded.used`)
  const drop = db.prepare('delete from tallies where hour < ?')
  return {
    add: (tallies) =>
      write(() => {
        for (const { hour, kind, tool, label, count } of tallies) add.run(hour, kind, tool, label, count)
      }),
    drop: (hour) => write(() => void drop.run(hour)),
  }
}
