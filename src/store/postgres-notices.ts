import type { Pool } from 'pg'

import { columnsOfNotice, dueNotice, longestRetryMs, type NoticeStore, readNotice } from './notices.ts'
import { one } from './postgres-connection.ts'
import { isRecord } from '../platform/record.ts'

/** Notices in Postgres; several nodes share them. */
export function createPostgresNotices(pool: Pool): NoticeStore {
  return {
    take: async (now, until, limit) => {
      const { rows } = await pool.query(
        `update notices set due_at = $3, attempts = attempts + 1 where seq in (
           select seq from notices where ${dueNotice('$1', '$2')} order by seq limit $4 for update skip locked)
         returning ${columnsOfNotice}`,
        [now, now + longestRetryMs, until, limit],
      )
      return rows
        .map(readNotice)
        .filter((notice) => notice !== undefined)
        .sort((a, b) => a.seq - b.seq)
    },
    end: async (seq, now) => {
      await pool.query('update notices set ended_at = $1 where seq = $2', [now, seq])
    },
    retryAt: async (seq, at) => {
      await pool.query('update notices set due_at = $1 where seq = $2', [at, seq])
    },
    waiting: async () => {
      const row = await one(pool, 'select count(*) as n from notices where ended_at is null', [])
      return isRecord(row) ? Number(row['n']) : 0
    },
    drop: async (before) => {
      await pool.query('delete from notices where ended_at < $1', [before])
    },
  }
}
