import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'

import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

import { type Accepts, encode, pay } from '../../test/money/payer.ts'
import type { Dice } from './dice.ts'
import { type Node, sleep } from './nodes.ts'
import type { World } from './world.ts'

/** Who lives beside the payers and means them no good. */
export type NeighbourKind = 'unpaid' | 'malformed' | 'badly signed' | 'penniless' | 'silent name' | 'half a request'

export type Neighbours = {
  /** How many requests of each kind were sent, and what came of them. */
  readonly seen: () => Readonly<Record<string, number>>
  /** What none of them should have got. */
  readonly faults: () => readonly string[]
}

export type NeighbourParts = {
  readonly nodes: readonly [Node, ...Node[]]
  readonly world: World
  readonly dice: Dice
  /** Terms of a cheap tool, and of one that goes to an address of the caller's. */
  readonly terms: { readonly cheap: Accepts; readonly outgoing: Accepts }
  readonly isOver: () => boolean
}

/** A tool that answers with what it found at an address of the caller's choice. */
export const outgoingTool = 'agent-revenue-optimizer'
const cheapEndpoint = '/api/agentic/tools/base-gas-tracker'

type Sent = {
  readonly path?: string
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A name server that is asked and never answers. */
export async function startSilentNameServer() {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', () => {
    asked += 1
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, asked: () => asked, close: () => socket.close() } as const
}

/** Floods the servers until the storm is over. */
export function startNeighbours({ nodes, world, dice, terms, isOver }: NeighbourParts): Neighbours {
  const seen = new Map<string, number>()
  const faults: string[] = []
  const count = (name: string): void => {
    seen.set(name, (seen.get(name) ?? 0) + 1)
  }
  /** A thousand addresses, as a proxy tells them. */
  const address = (): string => `198.18.${dice.below(4)}.${dice.below(250)}`

  const send = async (kind: NeighbourKind, { path = cheapEndpoint, method = 'POST', body, headers }: Sent) => {
    count(kind)
    try {
      const answer = await fetch(dice.pick(nodes).url + path, {
        method,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address(), ...headers },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(20_000),
      })
      const text = await answer.text()
      count(`${kind}: ${answer.status}`)
      const isFree = kind === 'silent name' || (kind === 'malformed' && path !== cheapEndpoint)
      if (answer.status === 200 && !isFree) faults.push(`${kind}: served for nothing: ${text.slice(0, 200)}`)
    } catch {
      // The server was dead, frozen, or threw it out.
      count(`${kind}: no answer`)
    }
  }

  const input = JSON.stringify({ blocks: 2 })
  const someWallet = () => {
    const privateKey = generatePrivateKey()
    return { privateKey, address: privateKeyToAccount(privateKey).address }
  }

  const malformed: readonly [() => Sent, ...(() => Sent)[]] = [
    () => ({ headers: { 'payment-signature': 'not base64 at all' }, body: input }),
    () => ({ headers: { 'payment-signature': encode({ x402Version: 2, payload: [] }) }, body: input }),
    () => ({ headers: { 'payment-signature': 'A'.repeat(12_000) }, body: input }),
    () => ({ body: '{"blocks":' }),
    () => ({ body: '['.repeat(5_000) }),
    () => ({ body: JSON.stringify({ blocks: 'x'.repeat(200_000) }) }),
    () => ({ body: JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index }))) }),
    () => ({
      path: `/api/agentic/payments/${'f'.repeat(64)}`,
      method: 'GET',
      headers: { authorization: 'SIWE x.0x1' },
    }),
    () => ({ path: '/api/agentic/mcp', body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}' }),
    () => ({ method: 'PUT', body: input }),
  ]

  const acts: Readonly<Record<NeighbourKind, () => Promise<void>>> = {
    unpaid: () => send('unpaid', { body: input }),
    malformed: () => send('malformed', dice.pick(malformed)()),
    'badly signed': async () => {
      const { v2, authorization } = await pay(someWallet(), terms.cheap)
      const signature = dice.chance(0.5) ? dice.hex(65) : `${dice.hex(96)}${'6492'.repeat(16)}`
      const header = encode({ ...v2, payload: { authorization, signature } })
      await send('badly signed', { headers: { 'payment-signature': header }, body: input })
    },
    penniless: async () => {
      const { header } = await pay(someWallet(), terms.cheap)
      await send('penniless', { headers: { 'payment-signature': header }, body: input })
    },
    'silent name': async () => {
      const wallet = someWallet()
      world.chain.mint(wallet.address, BigInt(terms.outgoing.amount))
      const { header } = await pay(wallet, terms.outgoing)
      await send('silent name', {
        path: `/api/agentic/tools/${outgoingTool}`,
        headers: { 'payment-signature': header },
        body: JSON.stringify({ endpoint_url: `https://silent-${dice.below(1e9)}.example.com/price` }),
      })
    },
    'half a request': () =>
      new Promise((resolve) => {
        count('half a request')
        const { hostname, port } = new URL(dice.pick(nodes).url)
        const socket = connect(Number(port), hostname, () => {
          socket.write(`POST ${cheapEndpoint} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"blo`)
        })
        const done = (): void => {
          socket.destroy()
          resolve()
        }
        socket.once('error', done)
        setTimeout(done, dice.between(100, 5_000))
      }),
  }

  /** How many of each there are, and how long each rests between two requests, in milliseconds. */
  const crowd: readonly (readonly [NeighbourKind, number, number])[] = [
    ['unpaid', 3, 25],
    ['malformed', 2, 40],
    ['badly signed', 1, 60],
    ['penniless', 1, 150],
    ['silent name', 4, 400],
    ['half a request', 8, 200],
  ]
  const plague = async (kind: NeighbourKind, restMs: number): Promise<void> => {
    while (!isOver()) {
      await acts[kind]()
      await sleep(dice.between(0, restMs * 2))
    }
  }
  for (const [kind, size, restMs] of crowd) {
    for (let one = 0; one < size; one += 1) void plague(kind, restMs)
  }
  return { seen: () => Object.fromEntries([...seen].sort(([a], [b]) => (a < b ? -1 : 1))), faults: () => faults }
}
