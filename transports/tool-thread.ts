/**
 * Where a thread of `tollgate serve` begins that runs tools. Tools that compute on the data of strangers get the
 * processor after the main thread and after tools that do not, and so does the loading of its program: that computes
 * for longer than most runs, and a thread that is replaced under attack loads anew.
 */
import { workerData } from 'node:worker_threads'

import { toolsYieldBy, yieldToOthers } from '../src/platform/yield-to-others.ts'

const { isForOwn }: { readonly isForOwn: boolean } = workerData
if (!isForOwn) yieldToOthers(toolsYieldBy)
await import('./tools-of-thread.ts')
