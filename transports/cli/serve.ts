import { faultOfPayTo } from '../../src/payments/safe-wallet.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { Config } from '../../src/platform/config.ts'
import { ConfigError } from '../../src/platform/config-error.ts'
import { createLog } from '../../src/platform/log.ts'
import { openStore } from '../../src/server/open-store.ts'
import { agreeOnPayTo } from '../../src/server/pay-to.ts'
import { paths } from '../../src/tool/urls.ts'
import { serve } from '../http/serve.ts'
import type { RunCommand } from './command.ts'

/** A balancer asks every second or two whether a node is ready. */
const announcedMs = 3_000

export const run: RunCommand = async ({ args, out, note, parts: partsOf, untilStopped }) => {
  const parts = await partsOf(createLog(note, systemClock.now))
  const { config } = parts
  if (config.payTo === undefined) {
    throw new ConfigError(['TOLLGATE_PAY_TO: the wallet that is paid is missing (0x and 40 hex digits)'])
  }
  const fault = await faultOfPayTo(config.payTo, {
    asset: config.asset.address,
    isRealNetwork: config.network === 'eip155:8453' && !config.sandbox,
  })
  if (fault !== undefined) throw new ConfigError([`TOLLGATE_PAY_TO: ${config.payTo} cannot be paid: ${fault}`])
  const store = await openStore(config)
  try {
    await agreeOnPayTo({ ...parts, payTo: config.payTo, notes: store.notes, isConfirmed: args.has('confirm') })
  } catch (error) {
    await store.close()
    throw error
  }
  const served = await serve({ ...parts, store, watchesUpstreams: true })
  const { baseUrl } = served
  if (args.has('json')) {
    out(JSON.stringify({ ready: true, sandbox: config.sandbox, baseUrl, mcpUrl: `${baseUrl}${paths.mcp}` }))
  } else {
    const count = served.server.offered.length
    note(`Tollgate serves ${count} tools at ${baseUrl}, paid to ${config.payTo}.${listeningOf(config)}`)
  }
  await untilStopped()
  // Whoever shares out the traffic is told first, and gets time to ask elsewhere; calls that still come are answered.
  served.announceStop()
  await systemClock.sleep(announcedMs)
  await served.stop()
  return 0
}

/** Where the server is reached on this machine, if its address for the world does not say it. */
function listeningOf({ publicUrl, host, port }: Config): string {
  return publicUrl === undefined || port === 0 ? '' : ` It listens on ${host}, port ${port}.`
}
