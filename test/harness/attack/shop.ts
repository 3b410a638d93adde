import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { type Address, encodeFunctionData, parseAbi, parseUnits } from 'viem'

import { rpc } from '../../../sandbox/rpc.ts'
import { operator } from '../../../sandbox/wallets.ts'
import { serveLoopback } from '../loopback.ts'
import { openFolder, type Opened, opening } from '../opening.ts'
import { type ServeProcess, startServeProcess } from '../serve-process.ts'
import { hostileChallenge, hostileHost, type Target } from './attacks.ts'

/** A server that is attacked, in a process of its own, as are the services that its tools ask. */
export type Shop = Opened<{
  readonly server: ServeProcess
  readonly target: Target
  /** A tool that an honest payer pays for. */
  readonly honestUrl: string
  /** How long the main thread computed at most without a pause since then, in milliseconds of the CPU. */
  readonly busiestSince: (start: number) => number
  /** How long that thread computed at most in so many turns as a paid call takes there; milliseconds of the CPU. */
  readonly longestPassageSince: (start: number) => number
  /**
   * For how long that thread waited for a processor at most in a tenth of a second; 0 where the system does not count
   * it.
   */
  readonly longestWaitSince: (start: number) => number
}>

/** A contract that answers every question with a megabyte of zeros: PUSH3 0x100000, PUSH1 0, RETURN. */
const bomb = `0x${'b0'.repeat(20)}` as const
const bombCode = '0x621000006000f3'

export async function openShop(env: Readonly<Record<string, string>> = {}): Promise<Shop> {
  return opening(async (atEnd) => {
    const busyFile = join(await openFolder(atEnd, 'tollgate-shop-'), 'busy')
    writeFileSync(busyFile, '')
    const challenge = hostileChallenge()
    const hostile = await serveLoopback((_request, response) => {
      response.writeHead(402, { 'content-type': 'application/json' }).end(challenge)
    })
    atEnd(hostile.close)
    const services = fork(new URL('services.ts', import.meta.url), { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    atEnd(() => {
      if (services.connected) services.disconnect()
    })
    const { urls, hosts } = JSON.parse(await firstLineOf(services)) as {
      readonly urls: Readonly<Record<string, string>>
      readonly hosts: Readonly<Record<string, string>>
    }
    const { MAINNET: mainnetUrl = '', POSTS: postsUrl = '', ...others } = urls
    const server = await startServeProcess({
      TOLLGATE_MAINNET_RPC_URLS: mainnetUrl,
      TOLLGATE_POSTS_FEED: postsUrl,
      ...Object.fromEntries(Object.entries(others).map(([name, url]) => [`TOLLGATE_UPSTREAM_${name}_URL`, url])),
      // One wallet stands for many payers here, so the limit of calls of one payer is lifted.
      TOLLGATE_MAX_IN_FLIGHT: '1000',
      TOLLGATE_UPSTREAM_WEB_HOSTS: Object.entries({ ...hosts, [hostileHost]: hostile.url })
        .map((pair) => pair.join('='))
        .join(','),
      BUSY_FILE: busyFile,
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${new URL('busy.ts', import.meta.url).href}`,
      ...env,
    })
    atEnd(server.stop)
    const { sandbox } = server
    await rpc(sandbox.chain.rpcUrl, 'anvil_setCode', bomb, bombCode)
    await giveMoney(sandbox.chain.rpcUrl, sandbox.chain.usdc, sandbox.wallets.stranger.address)
    return {
      server,
      target: { baseUrl: server.baseUrl, usdc: sandbox.chain.usdc, bomb, wallets: sandbox.wallets },
      honestUrl: `${server.baseUrl}/api/agentic/tools/base-gas-tracker`,
      busiestSince: (start) => worstIn(readFileSync(busyFile, 'utf8'), start, 1),
      longestPassageSince: (start) => worstIn(readFileSync(busyFile, 'utf8'), start, 2),
      longestWaitSince: (start) => worstIn(readFileSync(busyFile, 'utf8'), start, 3),
    }
  })
}

/** An attacker pays where that lets him in; without money none of his runs would begin. */
async function giveMoney(rpcUrl: string, usdc: Address, to: Address): Promise<void> {
  const abi = parseAbi(['function mint(address to, uint256 value)'])
  await rpc(rpcUrl, 'anvil_impersonateAccount', operator)
  await rpc(rpcUrl, 'eth_sendTransaction', {
    from: operator,
    to: usdc,
    data: encodeFunctionData({ abi, functionName: 'mint', args: [to, parseUnits('1000', 6)] }),
  })
  await rpc(rpcUrl, 'anvil_stopImpersonatingAccount', operator)
}

/** The worst of the lines that `busy.ts` wrote since then. @param column which of its figures. */
function worstIn(text: string, start: number, column: 1 | 2 | 3): number {
  return text
    .trim()
    .split('\n')
    .map((row) => row.split(' ').map(Number))
    .reduce((worst, row) => ((row[0] ?? 0) >= start ? Math.max(worst, row[column] ?? 0) : worst), 0)
}

async function firstLineOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The process was started without a pipe to its output.')
  const [line] = await once(createInterface({ input: stdout }), 'line')
  return String(line)
}
