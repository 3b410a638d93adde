/**
 * What it costs to let a holder of the access pass in: the header read, the message checked, the signer recovered, the
 * holder looked up where it is remembered. CPU per call, each with a message of its own.
 *
 *     node bench/siwe.ts
 *
 * Ends with 1 when it is above the target.
 */
import { privateKeyToAccount } from 'viem/accounts'

import { walletOf } from '../sandbox/wallets.ts'
import { createHolderCheck } from '../src/access/holder.ts'
import { createPassCheck } from '../src/access/pass.ts'
import { draftSiwe } from '../src/access/siwe-draft.ts'
import { createSiweCheck } from '../src/access/siwe.ts'
import { loadNativeRecover } from '../src/payments/eip3009/signature.ts'
import { systemClock } from '../src/platform/clock.ts'
import { modeTool } from '../test/access/mode-tool.ts'

const targetMs = 0.5
const calls = 2_000
const origin = 'https://tools.example.org'
const holder = walletOf('holder')

let asked = 0
const check = createPassCheck({
  checkSiwe: createSiweCheck({ origin, chainId: 8453, now: systemClock.now, contractAccepts: async () => false }),
  checkIdentity: () => Promise.reject(new Error('No payment was shown.')),
  holds: createHolderCheck({
    rpc: async () => {
      asked += 1
      return `0x${'1'.padStart(64, '0')}`
    },
    clock: systemClock,
    toolPass: holder.address,
    registry: undefined,
    registeredTool: async () => undefined,
  }),
  counters: {
    take: () => Promise.reject(new Error('Nothing is counted.')),
    giveBack: async () => {},
    claimOnce: async () => true,
    sweep: async () => {},
  },
  now: systemClock.now,
  singleUse: false,
  isDelegate: undefined,
})

const account = privateKeyToAccount(holder.privateKey)
const headers: string[] = []
for (let index = 0; index < calls; index += 1) {
  const message = draftSiwe({
    origin,
    address: holder.address,
    uri: `${origin}/api/tools/probe`,
    chainId: 8453,
    statement: 'Authenticate to access this tool',
    nonce: `bench${index}`.padEnd(16, '0'),
    now: Date.now(),
  })
  const signature = await account.signMessage({ message })
  headers.push(`SIWE ${Buffer.from(message, 'utf8').toString('base64url')}.${signature}`)
}

const tool = modeTool('probe', 'pass', 'site')
const enter = async (siwe: string): Promise<void> => {
  const outcome = await check({ tool, input: {}, credentials: { siwe }, ip: '', resourceUrl: origin })
  if (outcome.kind !== 'holder') throw new Error('The holder was not let in.')
}
for (const header of headers.slice(0, 200)) await enter(header)

const cpu = process.cpuUsage()
for (const header of headers) await enter(header)
const { user, system } = process.cpuUsage(cpu)
const perCallMs = (user + system) / 1_000 / calls

const code = (await loadNativeRecover()) === undefined ? 'the pure implementation' : 'native secp256k1'
console.log(
  `pass by SIWE, holder remembered: ${perCallMs.toFixed(3)} ms of CPU per call by ${code}, ${calls} calls, ${asked} questions to the chain, target ${targetMs} ms`,
)
if (!(perCallMs <= targetMs)) process.exitCode = 1
