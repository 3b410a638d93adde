import { buildPeer, buildTollgate } from './build.ts'
import { type NextRequest, postBytes } from './load.ts'
import { createSigner, type Requirement } from './payments.ts'
import { type Running, start } from './process.ts'

/** A tool that asks nobody, so that nothing but the server is measured. */
export const paidPath = '/api/agentic/tools/base-builder-grant-finder'
export const paidInput = JSON.stringify({ category: 'ai-agent', max_results: 5 })

/** A tool that asks the chain three questions. */
export const askingPath = '/api/agentic/tools/base-gas-tracker'
export const askingInput = JSON.stringify({ blocks: 3 })

export type Challenge = {
  readonly resource: { readonly url: string; readonly description: string }
  readonly accepts: readonly [Requirement & { readonly maxTimeoutSeconds: number }]
  readonly extensions: Readonly<Record<string, unknown>>
}

/** A server and where it listens. */
export type Listening = { readonly running: Running; readonly port: number }

/** Starts a facilitator and a chain that agree to everything at once. */
export async function startFacilitator(node: string): Promise<Listening> {
  const running = await start({ node, args: [await buildPeer('facilitator')] })
  return { running, port: portOf(running) }
}

/** Starts the server as it is published. `nodeArguments` go to Node itself; `checkout` is the folder of its source. */
export async function startTollgate(
  node: string,
  facilitator: Listening,
  dataDir: string,
  nodeArguments: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  checkout?: string,
): Promise<Listening> {
  const facilitatorUrl = `http://127.0.0.1:${facilitator.port}`
  const running = await start({
    node,
    args: [...nodeArguments, await buildTollgate(checkout), 'serve', '--json'],
    env: {
      TOLLGATE_PORT: '0',
      TOLLGATE_DATA_DIR: dataDir,
      TOLLGATE_PAY_TO: '0x2096bc6c1ea2c0e79c9f5a9b38ba1d6d7a8e0d31',
      TOLLGATE_FACILITATOR_URL: facilitatorUrl,
      TOLLGATE_BASE_RPC_URLS: facilitatorUrl,
      // Nobody else reads a settlement back before the answer; the audit that comes half a minute later stays as it is.
      TOLLGATE_SYNC_AUDIT_USD: '1000',
      ...env,
    },
  })
  const { baseUrl } = JSON.parse(running.ready) as { baseUrl: string }
  return { running, port: Number(new URL(baseUrl).port) }
}

/** The port in the first line of a peer. */
export function portOf({ ready }: Running): number {
  return (JSON.parse(ready) as { port: number }).port
}

/** What an address asks to be paid. */
export async function challengeAt(url: string): Promise<Challenge> {
  const response = await fetch(url, { method: 'POST' })
  await response.arrayBuffer()
  const header = response.headers.get('payment-required')
  if (header === null) throw new Error(`${url} answered ${response.status} without terms.`)
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as Challenge
}

export type PaidRound = {
  readonly connections: number
  readonly calls: number
  readonly path?: string
  readonly input?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Signs a round's payments before its clock starts: a payer per connection, because each may have few calls under way.
 */
export async function paidRequests(port: number, round: PaidRound): Promise<NextRequest> {
  const { connections, calls, path = paidPath, input = paidInput, headers = {} } = round
  const { accepts, resource } = await challengeAt(`http://127.0.0.1:${port}${path}`)
  const queues = await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const sign = await createSigner(String(index), accepts[0])
      return Array.from({ length: calls / connections }, () => {
        return postBytes(path, input, { ...headers, 'payment-signature': sign(resource) })
      })
    }),
  )
  return (connection) => queues[connection]?.pop()
}
