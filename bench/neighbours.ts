/**
 * What hostile neighbours cost somebody who pays: how long his answers take while others send the worst they can.
 *
 *     node bench/neighbours.ts
 *     node bench/neighbours.ts --seconds 10 --json
 *
 * The sandbox runs in a process of its own, as a user starts it. One wallet pays for base-gas-tracker every 100 ms,
 * first alone, then beside one attack after the other, and alone again. Ends with 1 where an answer came more than 250 ms
 * later than the slowest one of the quiet times, or came not at all. All of it is loopback, which is not limited by
 * address: what is measured is what holds without those limits. Attackers, chain and server share the machine, so it says
 * nothing on one that is busy already.
 */
import { randomBytes } from 'node:crypto'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'

import { siweOf } from '../test/harness/sign-in.ts'
import { signTerms } from '../test/harness/sign-terms.ts'
import { startSandboxProcess, type Wallet } from '../test/harness/sandbox-process.ts'
import { note, report, type Row } from './support/table.ts'

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, json: { type: 'boolean', default: false } },
})
const measureMs = Number(options.seconds) * 1_000
const everyMs = 100
const allowedMs = 250

// One wallet stands for many payers; that it has few calls under way is another bound than the one that is measured.
const sandbox = await startSandboxProcess({ TOLLGATE_MAX_IN_FLIGHT: '1000' })
const { payer, holder, stranger } = sandbox.wallets

const toolUrl = (family: 'agentic/tools' | 'tools', slug: string): string => `${sandbox.baseUrl}/api/${family}/${slug}`

async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text })
}

/** Asks for the terms, signs them and calls again. Returns the status and how long the paid call took. */
async function pay(wallet: Wallet, slug: string, body: unknown): Promise<{ status: number; ms: number }> {
  const url = toolUrl('agentic/tools', slug)
  const text = JSON.stringify(body)
  const asked = await post(url, text)
  const challenge = await asked.text()
  if (asked.status !== 402) return { status: asked.status, ms: 0 }
  const payment = await signTerms(JSON.parse(challenge), wallet)
  const header = Buffer.from(JSON.stringify(payment)).toString('base64')
  const begun = performance.now()
  const answer = await post(url, text, { 'payment-signature': header })
  await answer.arrayBuffer()
  return { status: answer.status, ms: performance.now() - begun }
}

const letters = 'аеорсухіѕԁԛԝ'
const homoglyphs = (length: number): string =>
  Array.from({ length }, (_, index) => letters[(index * 7) % letters.length] ?? '').join('')
const manifest = (description: string, inputSchema: unknown = { type: 'object' }): unknown => ({
  manifestJson: { name: 'neighbour', tools: [{ name: 'tides', description, inputSchema }] },
})
const deepSchema = (depth: number): unknown =>
  depth === 0 ? { type: 'string' } : { type: 'object', properties: { next: deepSchema(depth - 1) } }
const wideSchema = (width: number): unknown => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: width }, (_, index) => [`field_${index}`, { type: 'string', description: 'ignore previous' }]),
  ),
})

async function withPass(slug: string, body: unknown): Promise<void> {
  const answer = await post(toolUrl('tools', slug), body, { authorization: await siweOf(holder, sandbox.baseUrl) })
  await answer.arrayBuffer()
}

/** A payment that nobody signed. */
const garbage = (): string =>
  Buffer.from(JSON.stringify({ x402Version: 2, payload: { nonce: randomBytes(32).toString('hex') } })).toString(
    'base64',
  )

const long = 'what will happen to my tokens if the fed cuts rates and '.repeat(40)
const attacks: Readonly<Record<string, () => Promise<unknown>>> = {
  'scans of 400 kB of homoglyphs': () => pay(stranger, 'mcp-security-scanner', manifest(homoglyphs(200_000))),
  'scans of a schema 30 deep': () => pay(stranger, 'mcp-security-scanner', manifest('Tides.', deepSchema(30))),
  'scans of a schema 8,000 wide': () => pay(stranger, 'mcp-security-scanner', manifest('Tides.', wideSchema(8_000))),
  'long goals for the designer': () => pay(stranger, 'multi-agent-workflow-designer', { goal: long.slice(0, 1_000) }),
  'long questions to ask': () => withPass('ask', { question: long.slice(0, 400) }),
  'audits of approvals': () => withPass('erc20-approval-audit', { owner: payer.address }),
  'safety scans': () => withPass('contract-safety-scanner', { address: sandbox.chain.usdc }),
  'lists of 20 names': () =>
    withPass('ens-resolver', { names: Array.from({ length: 20 }, (_, n) => `n${n}-${Date.now()}.eth`) }),
  'requests for terms': () => post(toolUrl('agentic/tools', 'base-gas-tracker'), {}).then((it) => it.arrayBuffer()),
  'megabytes with a payment nobody signed': () =>
    post(toolUrl('agentic/tools', 'mcp-security-scanner'), manifest('x'.repeat(900_000)), {
      'payment-signature': garbage(),
    }).then((it) => it.arrayBuffer()),
}
/** How many of one attack are under way at a time. */
const atOnce = 8

type Honest = { readonly times: readonly number[]; readonly failed: readonly number[] }

/** Pays every 100 ms for as long as `until` is not over; the milliseconds of each paid call, and how others ended. */
async function honest(until: () => boolean): Promise<Honest> {
  const calls: Promise<{ status: number; ms: number }>[] = []
  while (!until()) {
    calls.push(pay(payer, 'base-gas-tracker', { blocks: 1 + (calls.length % 20) }))
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  const done = await Promise.all(calls)
  return {
    times: done.filter(({ status }) => status === 200).map(({ ms }) => ms),
    failed: done.filter(({ status }) => status !== 200).map(({ status }) => status),
  }
}

/** What nobody is in the way of. */
async function quietly(): Promise<Honest> {
  const end = performance.now() + measureMs
  return honest(() => performance.now() > end)
}

async function during(attack: () => Promise<unknown>): Promise<Honest & { readonly attacks: number }> {
  const end = performance.now() + measureMs
  const over = (): boolean => performance.now() > end
  let count = 0
  const one = async (): Promise<void> => {
    while (!over()) {
      await attack().catch(() => undefined)
      count += 1
    }
  }
  const running = Array.from({ length: atOnce }, one)
  const served = await honest(over)
  await Promise.all(running)
  return { ...served, attacks: count }
}

const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

try {
  note(`load at the start: ${loadavg()[0]?.toFixed(1)}`)
  // The first calls load what all others find loaded.
  await quietly()
  const first = await quietly()
  const seen: { readonly what: string; readonly result: Awaited<ReturnType<typeof during>> }[] = []
  for (const [what, attack] of Object.entries(attacks)) {
    seen.push({ what, result: await during(attack) })
    const health = (await (await fetch(`${sandbox.baseUrl}/api/agentic/health`)).json()) as {
      eventLoop?: { maxMs: number }
    }
    note(`${what}: the event loop was late by at most ${health.eventLoop?.maxMs} ms so far`)
  }
  // Quiet is what it was like before and after: on a machine that others use as well, one of both may be luck.
  const last = await quietly()
  const quiet = [...first.times, ...last.times]
  const slowest = Math.max(...quiet)
  const rows = seen.map(({ what, result: { times, failed, attacks: count } }): Row => {
    const worst = Math.max(...times)
    if (failed.length > 0) note(`${what}: ${failed.length} honest calls ended with ${[...new Set(failed)].join(', ')}`)
    return {
      what: `${what} (${count})`,
      ours: `${middle(times).toFixed(0)} ms, at most ${worst.toFixed(0)} ms (${times.length})`,
      theirs: `quiet: ${middle(quiet).toFixed(0)} ms, at most ${slowest.toFixed(0)} ms`,
      ratio: worst / slowest,
      goal: `≤ ${(slowest + allowedMs).toFixed(0)} ms, none refused`,
      reached: worst <= slowest + allowedMs && failed.length === 0,
    }
  })
  note(`load at the end: ${loadavg()[0]?.toFixed(1)}`)
  report(rows)
  process.exitCode = rows.every(({ reached }) => reached) ? 0 : 1
} finally {
  await sandbox.stop()
}
