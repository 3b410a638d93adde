import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { isCallable } from '../src/call/call.ts'
import { CallError } from '../src/errors.ts'
import type { Clock } from '../src/platform/clock.ts'
import { randomPrefix } from '../src/platform/request-id.ts'
import type { Log } from '../src/platform/log.ts'
import { createPaidHouse, type PaidHouse } from './house.ts'
import type { HouseParts } from './local-house.ts'
import type { ReadyDocument } from './http/documents.ts'
import type { Watch } from './registered-tools.ts'
import { planOf } from './registry-plan.ts'
import type { Store } from '../src/store/store.ts'

export type Served = {
  readonly baseUrl: string
  readonly house: PaidHouse
  /** Stops taking calls, lets those under way end, and closes everything. */
  readonly stop: () => Promise<void>
}

export type ServeParts = HouseParts & {
  readonly store: Store
  /** Work that needs the house and its address, and has to be done before anybody can call. */
  readonly beforeOpening?: (house: PaidHouse) => Promise<void>
}

const drainMs = 35_000
/** Whether the ledger takes writes is found out by a flushed write, and anybody may ask. */
const readyForMs = 1_000

/** Starts the whole server over HTTP. The listening socket is opened first, because the address is part of every document. */
export async function serve(parts: ServeParts): Promise<Served> {
  const { config, clock } = parts
  const { createApp } = await import('./http/app.ts')
  const { createToolRoute } = await import('./http/tool-route.ts')
  const { createPaymentsRoute } = await import('./http/payments-route.ts')
  const { createAnswerSigning } = await import('./http/signing.ts')
  const { readyCatalog, readyDocuments } = await import('./http/documents.ts')
  const { createMcpRoute, createSiteMcpRoute } = await import('./mcp/http.ts')

  const port = config.port === 0 ? await freePort(config.host) : config.port
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  const baseUrl = config.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const house = await createPaidHouse({ ...parts, baseUrl })
  await parts.beforeOpening?.(house)
  const newRequestId = randomPrefix()
  const startedAt = clock.now()
  const mcpParts = {
    house,
    trustProxy: config.trustProxy,
    newRequestId,
    startedAt: new Date(startedAt),
    log: parts.log,
  }
  const mcp = createMcpRoute(mcpParts)
  const siteMcp = createSiteMcpRoute(mcpParts)
  const catalogNow = (): ReadonlyMap<string, ReadyDocument> =>
    readyCatalog(house.registry, {
      config: house.describe,
      settings: house.settings,
      toolIds: house.registered.known(),
      generatedAt: new Date(clock.now()),
    })
  const documents = new Map([
    ...readyDocuments(house.registry, house.describe, new Date(startedAt), house.manifests),
    ...catalogNow(),
  ])
  const watch = watchRegistry(house, parts.log, () => {
    for (const [path, document] of catalogNow()) documents.set(path, document)
  })
  let draining = false
  const ledgerTakesWrites = rememberedFor(readyForMs, clock, async () => {
    try {
      await house.store.check()
      return true
    } catch (cause) {
      parts.log.error('ledger.not_writable', { cause })
      return false
    }
  })

  const server = await createApp({
    registry: house.registry,
    documents,
    toolRoute: createToolRoute({
      call: house.call,
      challengeOf: house.challengeOf,
      baseUrl,
      trustProxy: config.trustProxy,
      newRequestId,
      isCallable: (tool, input) => isCallable(tool, input, house.settings),
      canTakePayments: () => house.facilitator.status() === 'ok',
      signing:
        house.signer === undefined ? undefined : createAnswerSigning({ signer: house.signer, baseUrl, now: clock.now }),
    }),
    paymentsRoute: createPaymentsRoute({
      ledger: house.ledger,
      checkSiwe: house.checkSiwe,
      baseUrl,
      chainId: config.chainId,
      paymentUrl: house.paymentUrl,
      now: clock.now,
    }),
    signer: house.signer,
    mcpRoute: mcp.handle,
    siteMcpRoute: siteMcp.handle,
    health: async () => {
      const unknown = await house.store.payments.unknown()
      const upstreams = house.upstreams.health()
      const down = Object.values(upstreams).some((one) => one.status === 'down')
      const facilitator = house.facilitator.status()
      return {
        status: draining ? 'down' : facilitator === 'down' || down ? 'degraded' : 'ok',
        version: house.describe.version,
        ...(config.sandbox ? { sandbox: true } : {}),
        uptimeSeconds: Math.floor((clock.now() - startedAt) / 1_000),
        tools: house.registry.all.length,
        facilitator: { status: facilitator },
        ledger: { status: 'ok', unknown },
        upstreams,
      }
    },
    notReady: async () => {
      if (draining) return 'The server is stopping.'
      if (house.facilitator.status() === 'down') return 'The payment facilitator does not answer.'
      return (await ledgerTakesWrites()) ? undefined : 'The ledger cannot be written.'
    },
    newRequestId,
  })
  const requests = watchRequests(server)
  await listen(server, port, config.host)
  // Only a node that can be asked again looks after payments; what the last run left comes first.
  const sweeper = house.startSweeper()

  return {
    baseUrl,
    house,
    stop: async () => {
      draining = true
      mcp.close()
      siteMcp.close()
      server.close()
      server.closeIdleConnections()
      // A connection that has asked nothing is owed nothing, so it is requests that are waited for.
      await Promise.race([Promise.all([requests.allAnswered(), house.ledger.drain()]), clock.sleep(drainMs)])
      server.closeAllConnections()
      watch.stop()
      await sweeper.stop()
      await house.close()
    },
  }
}

/** The answer to a question that is dear, asked again only when it is old; who asks meanwhile waits for the same one. */
function rememberedFor<T>(ms: number, clock: Clock, ask: () => Promise<T>): () => Promise<T> {
  let known: { readonly until: number; readonly answer: Promise<T> } | undefined
  return () => {
    if (known === undefined || known.until <= clock.now()) known = { until: clock.now() + ms, answer: ask() }
    return known.answer
  }
}

/** Counts the requests under way. */
function watchRequests(server: Server): { readonly allAnswered: () => Promise<void> } {
  let open = 0
  let tell = (): void => {}
  server.on('request', (_request, response) => {
    open += 1
    response.once('close', () => {
      open -= 1
      if (open === 0) tell()
    })
  })
  return {
    allAnswered: () =>
      new Promise((resolve) => {
        if (open === 0) resolve()
        else tell = resolve
      }),
  }
}

/** Says in the log how the registry differs from what is served, and tells of every reading that has other ids. */
function watchRegistry(house: PaidHouse, log: Log, onNewIds: () => void): Watch {
  const { baseUrl, describe, manifests, registered } = house
  const idsNow = (): string => [...registered.known()].join(' ')
  let ids = idsNow()
  let drift = ''
  return registered.watch(
    ({ entries }) => {
      const { differences } = planOf({ entries }, { tools: manifests, baseUrl, creator: describe.creator })
      const found = JSON.stringify(differences)
      if (differences.length > 0 && found !== drift) {
        log.warn('registry.drift', { differences, fix: 'Run `tollgate registry plan` for the whole comparison.' })
      }
      drift = found
      if (idsNow() !== ids) onNewIds()
      ids = idsNow()
    },
    (cause) => log.warn('registry.unreadable', { cause }),
  )
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new CallError(
              'unavailable',
              `Port ${port} of ${host} is taken; choose another one with TOLLGATE_PORT, or --port of the sandbox.`,
            )
          : error,
      )
    })
    server.listen(port, host, () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address)
    })
  })
}

/** A port that is free now; the documents have to know it before the server listens. */
async function freePort(host: string): Promise<number> {
  const { createServer } = await import('node:net')
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, host, resolve)
  })
  const address = probe.address()
  await new Promise<void>((resolve) => {
    probe.close(() => resolve())
  })
  return typeof address === 'object' && address !== null ? address.port : 0
}
