import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { buildOlder, commitOf } from '../../scripts/storm/older.ts'
import { wherePostgres } from '../harness/stores.ts'
import { callTool, richWallet } from './test-server.ts'
import { freshKey, pay } from './payer.ts'
import { spawnServer, until } from './server.ts'
import { sold } from './surroundings.ts'
import { surroundingsOfTests } from './surroundings-of-tests.ts'

/** The last release whose payments carried version and price, on the second schema of the ledger. */
const olderCommit = '7db6be11dac98318c1b579b40667eec87da973ab'
const olderPrice = 20_000n

const older = await commitOf(olderCommit).catch(() => undefined)

let folder: string
let olderProgram: string
const cleanups: (() => Promise<unknown>)[] = []

/** The same tool at twice the price. */
async function raisePrice(tree: string): Promise<void> {
  const file = join(tree, 'tools', 'agentic', sold, 'tool.ts')
  const source = await readFile(file, 'utf8')
  const changed = source.replace(/(mode: 'paid', usd: )'0\.01'/, "$1'0.02'")
  if (changed === source) throw new Error('The older release has another price than the test thinks.')
  await writeFile(file, changed)
}

const stores: readonly { readonly name: string; readonly env: () => Promise<Readonly<Record<string, string>>> }[] = [
  { name: 'SQLite', env: async () => ({}) },
  ...wherePostgres(cleanups, (fresh) => ({ name: 'Postgres', env: async () => ({ DATABASE_URL: await fresh() }) })),
]

// Where the history of this project is not at hand, there is no older release to build.
describe.skipIf(older === undefined)('two built releases on one ledger', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-releases-'))
    olderProgram = await buildOlder(olderCommit, folder, raisePrice)
  }, 300_000)
  afterEach(async () => {
    for (const clean of cleanups.splice(0).toReversed()) await clean()
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })
  // After these, so that its servers are gone before their databases are.
  const { around, start } = surroundingsOfTests()

  it.each(stores)(
    'in $name: what the older one sold, claimed or left open is worth the same to the newer one',
    async ({ name, env: storeEnv }) => {
      const env = { ...around().envOf(`releases-${name}`), ...(await storeEnv()) }
      const before = await start({ env, main: olderProgram })
      const accepts = await around().acceptsOf(before.url)
      expect(BigInt(accepts.amount)).toBe(olderPrice)
      const signed = async () => {
        const validBefore = BigInt(Math.floor(Date.now() / 1_000) + 600)
        const payment = await pay(richWallet(around()), accepts, { validBefore })
        return { payment, headers: { 'payment-signature': payment.header, 'idempotency-key': freshKey() } }
      }
      const [sent, claimed, open, never] = await Promise.all([signed(), signed(), signed(), signed()])

      // Sold; claimed, when the tool failed; and handed on without an outcome.
      const bought = await callTool(before.url, sold, { blocks: 1 }, sent.headers)
      expect(bought.status, bought.text).toBe(200)
      around().facilitator.script('settle', ['status-500'])
      expect((await callTool(before.url, sold, { blocks: 1 }, open.headers)).status).toBe(503)
      around().rpc.set('error')
      expect((await callTool(before.url, sold, { blocks: 1 }, claimed.headers)).status).toBeGreaterThanOrEqual(500)
      await before.kill()
      around().rpc.set('none')

      const after = await start({ env })
      const now = await around().acceptsOf(after.url)
      expect(BigInt(now.amount)).toBe(olderPrice / 2n)
      const again = await callTool(after.url, sold, { blocks: 1 }, sent.headers)
      expect([again.status, again.text]).toEqual([200, bought.text])
      for (const one of [claimed, open]) {
        const answer = await until('the answer', async () => {
          const tried = await callTool(after.url, sold, { blocks: 1 }, one.headers)
          expect(tried.status, tried.text).not.toBe(402)
          return tried.status === 200 ? tried : undefined
        })
        expect(answer.status).toBe(200)
      }
      for (const { payment } of [sent, claimed, open]) {
        expect(
          around()
            .chain.transfersOf(payment.nonce)
            .map(({ value }) => value),
        ).toEqual([olderPrice])
      }
      // Another call is another operation, and what was never claimed pays today's price.
      const other = await callTool(after.url, sold, { blocks: 3 }, sent.headers)
      expect(other.body.error).toMatchObject({ code: 'payment_bound', charged: true })
      const refused = await until('the refusal', async () => {
        const tried = await callTool(after.url, sold, { blocks: 1 }, never.headers)
        // A chain that does not answer in time on a busy machine: the same payment is to be sent again.
        return tried.status === 503 ? undefined : tried
      })
      expect(refused.status).toBe(402)
      await after.kill()

      // There is no way back to a release that does not know this schema, and it says so instead of misreading.
      const back = spawnServer({ env, main: olderProgram })
      expect(await back.ready).toBeUndefined()
      expect((await back.ended).code).not.toBe(0)
      expect(back.log()).toContain('newer Tollgate')
    },
    180_000,
  )
})
