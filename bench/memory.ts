/**
 * Whether the server's memory grows: resident memory while it answers 20,000 unpaid and 3,000 paid calls.
 *
 *     node bench/memory.ts         the figures along the way and a row of the table
 *     node bench/memory.ts --json  the row as a line of JSON
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { load, postBytes } from './support/load.ts'
import { paidInput, paidPath, paidRequests, startFacilitator, startTollgate } from './support/servers.ts'
import { note, report } from './support/table.ts'

const connections = 10
/** More than this share above the figure after the warm-up is growth and not noise. */
const noise = 0.15

const folder = await mkdtemp(join(tmpdir(), 'tollgate-memory-'))
const facilitator = await startFacilitator(process.execPath)
const { running, port } = await startTollgate(process.execPath, facilitator, folder)
try {
  const unpaid = async (calls: number): Promise<void> => {
    const bytes = [postBytes(paidPath, ''), postBytes(paidPath, paidInput)]
    let left = calls
    await load({ port, connections, status: 402, next: () => ((left -= 1) < 0 ? undefined : bytes[left % 2]) })
  }
  const paid = async (calls: number): Promise<void> => {
    await load({ port, connections, status: 200, next: await paidRequests(port, { connections, calls }) })
  }

  await unpaid(10_000)
  await paid(6_000)
  // Settlements are audited half a minute later; the first audits load what reads the chain.
  await sleep(40_000)
  const warm = running.rssMb()
  const series: number[] = []
  for (let step = 0; step < 4; step += 1) {
    await unpaid(5_000)
    series.push(running.rssMb())
  }
  for (let step = 0; step < 3; step += 1) {
    await paid(1_000)
    series.push(running.rssMb())
  }
  note(`resident memory: ${[warm, ...series].map((mb) => mb.toFixed(0)).join(' → ')} MB`)
  const last = series.at(-1) ?? Number.NaN
  report([
    {
      what: 'resident memory after 20,000 unpaid and 3,000 paid calls',
      ours: `${last.toFixed(0)} MB`,
      theirs: `${warm.toFixed(0)} MB after the warm-up`,
      ratio: last / warm,
      goal: `≤ ${1 + noise}`,
      reached: last <= warm * (1 + noise),
    },
  ])
} finally {
  await running.stop()
  await facilitator.running.stop()
  await rm(folder, { recursive: true, force: true })
}
