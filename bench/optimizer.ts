/**
 * How long an audit takes on hosts that keep it waiting, over real connections on loopback.
 *
 *     node bench/optimizer.ts
 *
 * Ends with 1 when an audit takes longer than the target.
 */
import { performance } from 'node:perf_hooks'

import {
  type Answer,
  audit,
  challenge,
  envelope,
  shop,
} from '../tools/agentic/agent-revenue-optimizer/fixtures/audit.ts'
import { startChain } from '../sandbox/chain.ts'

const targetMs = 8_000
const hang = (): Promise<never> => new Promise(() => {})
const endpoint = shop(() => challenge(envelope()))

/** A host like the good one, but for the requests that it never answers. */
const hanging =
  (isHanging: (method: string, path: string) => boolean): Answer =>
  (request) =>
    isHanging(request.method, request.path) ? hang() : endpoint(request)

const hosts: Readonly<Record<string, Answer>> = {
  'nothing hangs': endpoint,
  'the agent card hangs': hanging((_method, path) => path === '/.well-known/agent-card.json'),
  'the OpenAPI hangs': hanging((_method, path) => path === '/openapi.json'),
  'POST hangs, GET asks for payment': hanging((method) => method === 'POST'),
  'every surface hangs': hanging((_method, path) => path !== '/v1/report'),
  'input is refused, and the documented body hangs': (request) => {
    if (request.method !== 'POST')
      return endpoint({ ...request, path: request.path === '/v1/report' ? '/' : request.path })
    return request.body === '{}' ? { status: 400, body: { error: 'topic is required' } } : hang()
  },
}

const chain = await startChain()
try {
  for (const [name, answer] of Object.entries(hosts)) {
    const start = performance.now()
    const { verdict } = await audit(answer, { rpcUrl: chain.rpcUrl })
    const tookMs = performance.now() - start
    console.log(`${name}: ${tookMs.toFixed(0)} ms, ${verdict}, target ${targetMs} ms`)
    if (!(tookMs <= targetMs)) process.exitCode = 1
  }
} finally {
  await chain.stop()
}
