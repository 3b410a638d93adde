// The least that a paid call can be, to tell what is possible: the same handler on bare node:http, with what the terms
// of a paid call cannot do without (a signature, verify, one flushed commit, settle) and nothing of what makes it safe
// or kind.
import { createServer } from 'node:http'

import { createHostedFacilitator } from '../../src/payments/facilitator/hosted.ts'
import { readPaymentPayload } from '../../src/payments/x402/payload.ts'
import { createSignatureCheck } from '../../src/payments/eip3009/signature.ts'
import { sqlite } from '../../src/store/database.ts'
import { createGroupCommit } from '../../src/store/group-commit.ts'
import grantFinder from '../../tools/agentic/base-builder-grant-finder/tool.ts'

type Terms = { readonly path: string; readonly asset: string; readonly network: string } & {
  readonly extra: { readonly name: string; readonly version: string }
}

const tools = JSON.parse(process.env['BENCH_TERMS'] ?? '[]') as readonly Terms[]
const terms = tools.find(({ path }) => path.endsWith('base-builder-grant-finder'))
if (terms === undefined) throw new Error('BENCH_TERMS does not name the tool.')
const challenge = Buffer.from(
  JSON.stringify({ x402Version: 2, resource: { url: '', description: '' }, accepts: [terms], extensions: {} }),
).toString('base64')

const facilitator = createHostedFacilitator({ url: process.env['BENCH_FACILITATOR'] ?? '', network: terms.network })
const checkSignature = await createSignatureCheck({
  chainId: Number(terms.network.slice('eip155:'.length)),
  asset: terms.asset,
  assetName: terms.extra.name,
  assetVersion: terms.extra.version,
} as Parameters<typeof createSignatureCheck>[0])
const db = (await sqlite())(process.env['BENCH_LEDGER'] ?? ':memory:')
db.exec('pragma journal_mode=WAL')
db.exec('create table payments (nonce text primary key, answer blob not null) strict, without rowid')
const insert = db.prepare('insert into payments (nonce, answer) values (?, ?)')
const { write } = createGroupCommit(db)
const context = {
  now: () => new Date(),
  signal: new AbortController().signal,
  entry: 'payment',
  settings: { publicOrigin: 'http://127.0.0.1', projectTokens: [] },
  catalog: () => [],
} as unknown as Parameters<typeof grantFinder.run>[1]

async function answer(payment: string, body: Buffer): Promise<Buffer> {
  const proof = readPaymentPayload(payment)
  if ((await checkSignature(proof.authorization, proof.signature)) !== 'valid') throw new Error('Not signed.')
  const paymentPayload: unknown = JSON.parse(Buffer.from(payment, 'base64').toString('utf8'))
  const settlement = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: terms })
  if ((await facilitator.verify(settlement, 5_000)).kind !== 'valid') throw new Error('Not valid.')
  const input = grantFinder.input.parse(JSON.parse(body.toString('utf8')))
  const output = Buffer.from(JSON.stringify(grantFinder.output.parse(await grantFinder.run(input, context))))
  await write(() => insert.run(proof.authorization.nonce, output), true)
  if ((await facilitator.settle(settlement)).kind !== 'settled') throw new Error('Not settled.')
  return output
}

const server = createServer((request, response) => {
  const payment = request.headers['payment-signature']
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (typeof payment !== 'string') {
      response.writeHead(402, { 'payment-required': challenge, 'content-length': 0 }).end()
      return
    }
    answer(payment, Buffer.concat(chunks)).then(
      (bytes) => response.writeHead(200, { 'content-length': bytes.length }).end(bytes),
      (error: unknown) => {
        console.error(error)
        response.writeHead(500, { 'content-length': 0 }).end()
      },
    )
  })
}).listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 }))
})

process.on('SIGTERM', () => process.exit(0))
