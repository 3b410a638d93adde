/**
 * What a call costs the server that is drawn from a balance, beside a free call of a tool that does the same: almost
 * nothing, so that all of it is the server. One server in a process of its own, its ledger on the disk, both kinds of
 * call in turns.
 *
 *     node bench/prepaid.ts
 *
 * Ends with 1 when the ratio is above the target.
 */
import { fileURLToPath } from 'node:url'

import { load, postBytes } from './support/load.ts'
import { start } from './support/process.ts'
import { median } from './support/table.ts'

const target = 1.6
// Enough that a tick of 10 ms is little, and that the few commits of a turn which happens to be quiet are.
const calls = 5_000
const connections = 16
const rounds = 5
const path = (slug: string): string => `/api/agentic/tools/${slug}`
const body = JSON.stringify({ text: 'bench' })

if (process.argv[2] === '--serve') await serveProbes()
else await measure()

/** A server of the tests with a free tool and one that costs little enough for many calls from one balance. */
async function serveProbes(): Promise<void> {
  const { richWallet, startTestServer } = await import('../test/money/test-server.ts')
  const { pay } = await import('../test/money/payer.ts')
  const server = await startTestServer({
    edition: { usd: '0.0001' },
    adapt: (tool) => (tool.slug === 'probe-free' ? { ...tool, access: { mode: 'free' } } : tool),
  })
  const url = `${server.url}/api/agentic/balance`
  const json = { 'content-type': 'application/json' }
  const terms = await fetch(url, { method: 'POST', headers: json, body: '{"usd":"5"}' })
  const { accepts } = (await terms.json()) as { accepts: [Parameters<typeof pay>[1]] }
  const { header } = await pay(richWallet(server), accepts[0])
  const paid = await fetch(url, {
    method: 'POST',
    headers: { ...json, 'payment-signature': header },
    body: '{"usd":"5"}',
  })
  const { session } = (await paid.json()) as { session: { token: string } }
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
  console.log(JSON.stringify({ port: Number(new URL(server.url).port), token: session.token }))
}

async function measure(): Promise<void> {
  const running = await start({ node: process.execPath, args: [fileURLToPath(import.meta.url), '--serve'] })
  try {
    const { port, token } = JSON.parse(running.ready) as { port: number; token: string }
    const kinds = {
      free: postBytes(path('probe-free'), body),
      prepaid: postBytes(path('probe'), body, { authorization: `Bearer ${token}` }),
    }
    const cpuOf = async (bytes: Buffer): Promise<number> => {
      let left = calls
      const before = running.cpuMs()
      const { answers } = await load({ next: () => (left-- > 0 ? bytes : undefined), port, status: 200, connections })
      return ((running.cpuMs() - before) * 1_000) / answers
    }
    const ratios: number[] = []
    for (let round = -2; round < rounds; round += 1) {
      const free = await cpuOf(kinds.free)
      const prepaid = await cpuOf(kinds.prepaid)
      if (round >= 0) ratios.push(prepaid / free)
      if (round >= 0)
        console.log(
          `free ${free.toFixed(0)} µs, prepaid ${prepaid.toFixed(0)} µs, ratio ${(prepaid / free).toFixed(2)}`,
        )
    }
    const ratio = median(ratios)
    console.log(`A prepaid call costs ${ratio.toFixed(2)} times a free one (target ${target}).`)
    if (!(ratio <= target)) process.exitCode = 1
  } finally {
    await running.stop()
  }
}
