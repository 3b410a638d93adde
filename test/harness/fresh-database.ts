import { randomBytes } from 'node:crypto'

import { Client } from 'pg'

/** A database of its own on a server: what concerns a whole ledger must not meet the rows of other tests. */
export async function freshDatabase(
  server: string,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const admin = new Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
