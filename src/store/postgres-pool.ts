import type { Pool, PoolConfig } from 'pg'

/** Connections to a Postgres; the driver is loaded by the first who needs it. */
export async function openPool(url: string, options: PoolConfig): Promise<Pool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 3_000, ...options })
  // A connection that dies while it is idle is replaced; without a listener it would end the process.
  pool.on('error', () => {})
  return pool
}
