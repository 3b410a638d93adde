import { it } from 'vitest'
import { keeper, openZoo, proxiesOf } from './harness/contract-zoo.ts'
import { openLab, callData } from '../tools/site/contract-safety-scanner/lab.ts'
import { explore } from '../tools/site/contract-safety-scanner/explore.ts'
import { guardsOf } from '../tools/site/contract-safety-scanner/guards.ts'
import { createUpstreams } from '../src/upstream/upstreams.ts'
import { systemClock } from '../src/platform/clock.ts'
it('d', async () => {
  const zoo = await openZoo()
  const { transparent: eip1967 } = await proxiesOf(zoo)
  const ups = createUpstreams({ config: { baseRpcUrls: [zoo.rpcUrl], mainnetRpcUrls: [], chainId: 8453, urls: {}, keys: {}, webHosts: {}, refuseHosts: [], userAgent: 'x' }, fetch, clock: systemClock, webFetch: fetch })
  const { chain } = ups.bind(AbortSignal.timeout(30000))
  const lab = await openLab(chain, eip1967.at.toLowerCase())
  const ex = await lab.settle((note) => explore(lab, '4f1ef286', { start: lab.base, places: [], amount: 1n }, note))
  console.log(keeper, ex.rights.map(r => r.is + ('address' in r ? r.address : '')), ex.outcomes.length)
  for (const r of ex.results) console.log(r.ok, r.steps, Buffer.from(r.data.bytes).toString('hex').slice(0, 80), [...r.uses].map(([k, v]) => k + [...v].join('|')).join(' '), r.branches.slice(-2).map(b => b.place.slice(-5) + b.taken + JSON.stringify(b.condition.t, (k, v) => typeof v === 'bigint' ? v.toString(16) : v)?.slice(0, 300)))
  void callData; void guardsOf
  await zoo.stop()
})
