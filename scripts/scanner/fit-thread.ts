import { parentPort, workerData } from 'node:worker_threads'

import { fitSight } from './fit.ts'
import type { Job } from './fit.ts'
import type { Table, Which } from './table.ts'

/** A thread that learns one judge's sight at a time from tables that it shares with the others. */
const tables = workerData as Readonly<Record<Which, Table>>
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.on('message', (job: Job) => parentPort?.postMessage(fitSight(tables[job.which], job)))
