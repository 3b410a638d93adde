import type { Database } from './database.ts'
import type { Write } from './group-commit.ts'
import { columnsOfNotice, dueNotice, longestRetryMs, type NoticeStore, readNotice } from './notices.ts'
import { isRecord } from '../platform/record.ts'

/** Notices in SQLite. */
export function createSqliteNotices(db: Database, write: Write): NoticeStore {
  const due = db.prepare(`select ${columnsOfNotice} from notices where ${dueNotice('?1', '?2')} order by seq limit ?3`)
  const lease = db.prepare('update notices set due_at = ?, attempts = attempts + 1 where seq = ?')
  const end = db.prepare('update notices set ended_at = ? where seq = ?')
  const retry = db.prepare('update notices set due_at = ? where seq = ?')
  return {
    take: (now, until, limit) =>
      write(() => {
        const taken = due
          .all(now, now + longestRetryMs, limit)
          .map(readNotice)
          .filter((notice) => notice !== undefined)
        for (const { seq } of taken) lease.run(until, seq)
        return taken.map((notice) => ({ ...notice, attempts: notice.attempts + 1 }))
      }),
    end: (seq, now) => write(() => void end.run(now, seq)),
    retryAt: (seq, at) => write(() => void retry.run(at, seq)),
    waiting: async () => {
      const row: unknown = db.prepare('select count(*) as n from notices where ended_at is null').get()
      return isRecord(row) ? Number(row['n']) : 0
    },
    drop: (before) => write(() => void db.prepare('delete from notices where ended_at < ?').run(before)),
  }
}
