import { startChain } from '../../../sandbox/chain.ts'
import { serveLoopback } from '../../../sandbox/loopback.ts'
import { type Judge, labelledSets, scoreOf } from '../../../test/harness/judge.ts'
import { auditAt } from './fixtures/audit.ts'
import { addressOf, endpointSchema, hostsOf, type LabelledEndpoint } from './fixtures/endpoint.ts'

/** Verdicts on endpoints that are served on loopback, beside a chain where USDC stands with its own signing domain. */
const judge: Judge = async ({ folder }) => {
  const own = labelledSets(new URL('labelled/', import.meta.url), '', endpointSchema)
  const foreign = folder === undefined ? [] : labelledSets(folder, 'optimizer-', endpointSchema)
  const sets = [...own, ...foreign.map(({ name, cases }) => ({ name: `outside/${name}`, cases }))]
  const chain = await startChain()
  try {
    const scores = []
    for (const { name, cases } of sets) {
      scores.push(await scoreOf(`${name}: verdict`, cases, (one) => troubleWith(one, chain.rpcUrl)))
    }
    return scores
  } finally {
    await chain.stop()
  }
}
export default judge

async function troubleWith(one: LabelledEndpoint, rpcUrl: string): Promise<string | undefined> {
  const served = await Promise.all(
    Object.entries(hostsOf(one)).map(async ([host, answer]) => ({ host, server: await serveLoopback(answer) })),
  )
  try {
    const hosts = Object.fromEntries(served.map(({ host, server }) => [host, server.url]))
    const { verdict, recommendations } = await auditAt(addressOf(one), hosts, { rpcUrl })
    if (verdict === one.verdict) return undefined
    return `${one.name}: ${verdict}, not ${one.verdict}: ${recommendations[0]?.evidence}`
  } finally {
    await Promise.all(served.map(({ server }) => server.stop()))
  }
}
