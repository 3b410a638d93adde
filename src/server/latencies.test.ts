import { expect, it } from 'vitest'

import type { Call, CallResult } from '../call/call.ts'
import { createLatencies } from './latencies.ts'
import { toolOf } from '../../test/access/access-server.ts'

const tool = toolOf('free', 'POST')
const request = { tool, input: {}, credentials: {}, ip: '', resourceUrl: '', requestId: '' }
const result = (replayed: boolean): CallResult => ({ body: new Uint8Array(), entry: 'free', headers: {}, replayed })

it('tells what half and nine in ten of the last calls took, of those alone that ran and were answered', async () => {
  let time = 0
  let takes = 0
  let answer: Call = async () => result(false)
  const latencies = createLatencies(() => time)
  const call = latencies.timed(async (asked) => {
    time += takes
    return answer(asked)
  })
  for (takes of [1, 1_000]) await call(request)
  expect(latencies.of(tool.slug)).toBeUndefined()
  // These are more than are kept, so the first two are forgotten.
  for (takes = 1; takes <= 64; takes += 1) await call(request)
  const known = { expectedMs: 32, slowMs: 58, calls: 64 }
  expect(latencies.of(tool.slug)).toEqual(known)
  takes = 9_000
  answer = async () => result(true)
  await call(request)
  answer = async () => Promise.reject(new Error('no answer'))
  await expect(call(request)).rejects.toThrow('no answer')
  expect(latencies.of(tool.slug)).toEqual(known)
  expect(latencies.of('another')).toBeUndefined()
})
