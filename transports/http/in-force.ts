import type { Config } from '../../src/platform/config.ts'
import type { PaidServer } from '../../src/server/paid.ts'
import { freeCallsOf } from '../../src/tool/access.ts'

type Rows = Readonly<Record<string, string>>

/** The settings in force, without secrets: of an address only its host, of a key only that there is one. */
export function settingsInForce(config: Config, describe: PaidServer['describe']): Rows {
  const some = (name: string, value: string): Rows => (value === '' ? {} : { [name]: value })
  return {
    network: describe.network,
    payTo: describe.payTo,
    asset: describe.asset,
    facilitators: config.facilitators.map((one) => (one.kind === 'self' ? 'self' : hostOf(one.url))).join(', '),
    chainNodes: config.baseRpcUrls.map(hostOf).join(', '),
    address: describe.baseUrl,
    host: `${config.host}:${config.port}`,
    data: config.databaseUrl === undefined ? config.dataDir : 'Postgres',
    unsettledCallsOfAPayer: String(config.maxInFlight),
    readBackAtOnceFrom: `$${config.syncAuditUsd}`,
    ...some('prices', [...config.prices].map(([slug, usd]) => `${slug} $${usd}`).join(', ')),
    ...some('notSold', config.disabledTools.join(', ')),
    ...some('keys', Object.keys(config.keys).join(', ')),
    ...some('toolPass', config.toolPass ?? ''),
    ...some('registry', config.registry ?? ''),
    ...some('ownTools', config.toolsDir ?? ''),
    ...some('gates', config.gateFiles.join(', ')),
    ...some('webhook', config.webhook === undefined ? '' : hostOf(config.webhook.url)),
    ...some('denied', config.denied.join(', ')),
    servicesAskedEvery: config.upstreamCheckSeconds === 0 ? 'never' : `${config.upstreamCheckSeconds} s`,
    log: config.logLevel,
    version: describe.version,
  }
}

/** Where a key may stand is not shown. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'an address'
}

/** What is given away, and what is limited, with how often each was used or met. */
export function quotasOf(config: Config, { offered, facilitator }: Pick<PaidServer, 'offered' | 'facilitator'>) {
  return {
    freeCalls: offered.flatMap(({ slug, access }) => {
      const perDay = freeCallsOf(access)
      return perDay === undefined ? [] : [{ tool: slug, perDay }]
    }),
    limits: Object.entries(config.limits).map(([limit, { perSecond, burst }]) => ({ limit, perSecond, burst })),
    credits: facilitator
      .report()
      .flatMap(({ name, credits, isShort }) =>
        credits === undefined ? [] : [{ facilitator: name, remaining: credits.remaining, isShort }],
      ),
  }
}
