/**
 * What one node costs with SQLite and with Postgres, and what a Postgres that is far away does to a paid call: the
 * figures of docs/capacity.md.
 *
 *     node bench/capacity.ts
 *
 * CPU time, bytes and round trips, because they stay the same on a busy machine. Postgres is left out where none is
 * installed and TOLLGATE_TEST_DATABASE_URL names none.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Pool } from 'pg'

import { openPostgresStore } from '../src/store/postgres.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { claimOf, hex } from '../test/harness/claim.ts'
import { load } from './support/load.ts'
import { paidRequests, startFacilitator, startTollgate } from './support/servers.ts'
import { median, note } from './support/table.ts'

if (process.env['TOLLGATE_TEST_DATABASE_URL'] === undefined && process.env['TOLLGATE_BENCH_INSIDE'] === undefined) {
  const script = fileURLToPath(new URL('../scripts/with-postgres.mjs', import.meta.url))
  const again = [script, process.execPath, fileURLToPath(import.meta.url)]
  const env = { ...process.env, TOLLGATE_BENCH_INSIDE: '1' }
  process.exit(spawnSync(process.execPath, again, { stdio: 'inherit', env }).status ?? 1)
}
const databaseUrl = process.env['TOLLGATE_TEST_DATABASE_URL']

const rounds = 5
const callsOfRound = 400
const connections = 16
const paymentsForBytes = 5_000
const farMs = 20
const paymentsFromAfar = 20
/** As large as the answer of a cheap tool. */
const answer = Buffer.alloc(2_000, 'a')
const limits = { inFlight: 1_000_000, failures: 1_000_000, failuresSince: 0 }

/** One payment as the ledger writes it, without the rest of a call. */
async function payOne(store: Store): Promise<void> {
  const claim = claimOf(Date.now(), { keyHash: hex(32), leaseUntil: Date.now() + 60_000 })
  const { id, now } = claim
  await store.payments.claim(claim, limits)
  await store.payments.move({ as: 'intend', id, now, changes: { result: answer, resultHash: id } })
  await store.payments.move({ as: 'settle', id, now, changes: { receipt: '{"success":true}', transaction: id } })
}

/** CPU time that Postgres spent so far on all its processes, in milliseconds. */
async function postgresCpuMs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity')
  const ticks = rows.map(({ pid }) => {
    const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(after[11]) + Number(after[12])
  })
  return ticks.reduce((sum, one) => sum + one, 0) * 10
}

/** A database behind a wire on which each way takes half of the time. */
async function farAway(
  url: string,
  roundTripMs: number,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const to = new URL(url)
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    near.on('data', (bytes) => setTimeout(() => far.write(bytes), roundTripMs / 2))
    far.on('data', (bytes) => setTimeout(() => near.write(bytes), roundTripMs / 2))
    near.on('close', () => far.destroy()).on('error', () => far.destroy())
    far.on('close', () => near.destroy()).on('error', () => near.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const far = new URL(url)
  far.port = String((server.address() as AddressInfo).port)
  return { url: far.href, close: () => server.close() }
}

async function msOfOne(store: Store, count: number): Promise<number> {
  await payOne(store)
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    const before = performance.now()
    await payOne(store)
    times.push(performance.now() - before)
  }
  return median(times)
}

const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
const stops: (() => Promise<void>)[] = []
const pool = databaseUrl === undefined ? undefined : new Pool({ connectionString: databaseUrl, max: 1 })
try {
  const facilitator = await startFacilitator(process.execPath)
  stops.push(facilitator.running.stop)
  const nodes = [
    { name: 'SQLite', env: {} },
    ...(databaseUrl === undefined ? [] : [{ name: 'Postgres', env: { DATABASE_URL: databaseUrl } }]),
  ]
  const started = await Promise.all(
    nodes.map(async ({ name, env }) => {
      const { running, port } = await startTollgate(process.execPath, facilitator, join(folder, name), [], env)
      stops.push(running.stop)
      return { name, running, port, us: [] as number[], theirs: [] as number[], mb: [] as number[] }
    }),
  )
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, running, port, us, theirs, mb } of started) {
      const next = await paidRequests(port, connections, callsOfRound)
      const [cpu, database] = [running.cpuMs(), pool === undefined ? 0 : await postgresCpuMs(pool)]
      await load({ port, connections, next, status: 200 })
      us.push(((running.cpuMs() - cpu) * 1_000) / callsOfRound)
      if (name === 'Postgres' && pool !== undefined) {
        theirs.push((((await postgresCpuMs(pool)) - database) * 1_000) / callsOfRound)
      }
      mb.push(running.rssMb())
      note(`round ${round}, ${name}`)
    }
  }
  for (const { name, us, theirs, mb } of started) {
    const database = theirs.length === 0 ? '' : `, and ${median(theirs.slice(1)).toFixed(0)} µs in Postgres`
    console.log(`A paid call of a node on ${name}: ${median(us.slice(1)).toFixed(0)} µs of CPU time${database}`)
    console.log(`Memory of that node: ${Math.max(...mb).toFixed(0)} MB`)
  }

  const path = join(folder, 'bytes.db')
  const sqlite = await openSqliteStore(path)
  for (let index = 0; index < paymentsForBytes; index += 1) await payOne(sqlite)
  await sqlite.close()
  const perPayment = statSync(path).size / paymentsForBytes
  console.log(`A payment in the ledger, with its answer of ${answer.length} bytes: ${perPayment.toFixed(0)} bytes`)

  if (databaseUrl !== undefined) {
    const near = await openPostgresStore(databaseUrl)
    const nearMs = await msOfOne(near, paymentsFromAfar)
    await near.close()
    const wire = await farAway(databaseUrl, farMs)
    const far = await openPostgresStore(wire.url)
    const fromAfarMs = await msOfOne(far, paymentsFromAfar)
    await far.close()
    wire.close()
    const trips = (fromAfarMs - nearMs) / farMs
    console.log(
      `Round trips to Postgres of a payment: ${trips.toFixed(1)} (${fromAfarMs.toFixed(0)} ms at ${farMs} ms each)`,
    )
  }
} finally {
  for (const stop of stops.toReversed()) await stop()
  await pool?.end()
  await rm(folder, { recursive: true, force: true })
}
