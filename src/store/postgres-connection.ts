import type { Pool, PoolClient } from 'pg'

/** A pool, or one connection of it within a transaction. */
export type Client = Pool | PoolClient

/** The first row of an answer. */
export async function one(client: Client, text: string, values: readonly unknown[]): Promise<unknown> {
  return (await client.query(text, [...values])).rows[0]
}

/** Does the work in one transaction. */
export async function within<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const value = await work(client)
    await client.query('commit')
    return value
  } catch (error) {
    broken = error instanceof Error ? error : new Error('The database failed.')
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    // A connection on which something failed is thrown away: its state is not known.
    client.release(broken)
  }
}
