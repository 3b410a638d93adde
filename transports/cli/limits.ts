import { isIP } from 'node:net'

import { z } from 'zod'

import { CallError } from '../../src/errors.ts'
import type { Config } from '../../src/platform/config.ts'
import type { CommandContext, RunCommand } from './command.ts'
import { tableOf } from './rows.ts'

const rows = z.array(
  z.object({
    address: z.string(),
    met: z.record(z.string(), z.number()),
    firstAt: z.number(),
    lastAt: z.number(),
    heldOff: z.boolean(),
  }),
)
const lifted = z.object({ address: z.string(), wasHeldOff: z.boolean() })

/** Who met limits at the server that runs with this configuration, and a way to let somebody in again. */
export const run: RunCommand = async (context) => {
  const [what = 'list', address] = context.args.positionals
  const config = await context.config()
  if (what === 'list') return list(context, config)
  if (what === 'lift' && address !== undefined && isSomebody(address)) return lift(context, config, address)
  throw new CallError('invalid_input', 'It is tollgate limits list, or tollgate limits lift <address>.', {
    nextStep: 'An address is one of IPv4 or IPv6, or a wallet, as tollgate limits list shows it.',
  })
}

function isSomebody(address: string): boolean {
  return isIP(address) !== 0 || /^0x[0-9a-f]{40}$/i.test(address)
}

async function list({ args, out, note }: CommandContext, config: Config): Promise<number> {
  const found = rows.parse(await ask(config, 'GET', '/limits'))
  if (args.has('json')) out(JSON.stringify({ limits: config.limits, met: found }))
  else if (found.length === 0) note('Nobody met a limit since the server was started.')
  else {
    const lines = found.map(({ address, met, lastAt, heldOff }) => ({
      address,
      met: Object.entries(met)
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
      last: new Date(lastAt).toISOString(),
      now: heldOff ? 'held off' : 'served',
    }))
    out(tableOf(lines).join('\n'))
  }
  return 0
}

async function lift({ args, out, note }: CommandContext, config: Config, address: string): Promise<number> {
  const done = lifted.parse(await ask(config, 'POST', `/limits/lift?address=${encodeURIComponent(address)}`))
  if (args.has('json')) out(JSON.stringify(done))
  else note(done.wasHeldOff ? `${address} is served again.` : `${address} was not held off.`)
  return 0
}

async function ask({ operator }: Config, method: string, path: string): Promise<unknown> {
  if (operator.port === undefined || operator.port === 0) {
    throw new CallError('unavailable', 'The server has no port for its operator.', {
      nextStep: 'Set TOLLGATE_METRICS_PORT for the server and for this command, and start the server again.',
    })
  }
  const host = operator.host === '0.0.0.0' || operator.host === '::' ? '127.0.0.1' : operator.host
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${operator.port}${path}`
  const headers: Record<string, string> =
    operator.token === undefined ? {} : { authorization: `Bearer ${operator.token}` }
  let answer: Response
  try {
    answer = await fetch(url, { method, headers, signal: AbortSignal.timeout(5_000) })
  } catch (cause) {
    throw new CallError('unavailable', `No server answers at ${host}, port ${operator.port}.`, {
      nextStep: 'Start it with the same TOLLGATE_METRICS_PORT, or run this on its machine.',
      cause,
    })
  }
  if (answer.status === 401) throw new CallError('forbidden', 'The server has another TOLLGATE_METRICS_TOKEN.')
  if (!answer.ok) throw new CallError('unavailable', `The server answered ${answer.status}.`)
  return answer.json()
}
