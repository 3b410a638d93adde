import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { systemClock } from '../src/platform/clock.ts'
import { parseConfig } from '../src/platform/config.ts'
import { noFailpoints } from '../src/platform/failpoint.ts'
import { silentLog } from '../src/platform/log.ts'
import { maxHeaderBlockBytes } from '../src/payments/x402/required.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import { probeNeedsPayment } from '../src/tool/access.ts'
import type { Tool } from '../src/tool/tool.ts'
import { endpointPathOf, paths } from '../src/tool/urls.ts'
import { createPooledFetch } from '../src/upstream/http/dispatcher.ts'
import { loadTools } from '../tools/load.ts'
import { serve } from '../transports/http/serve.ts'
import { freePort } from './harness/free-port.ts'
import { type Nginx, noNginx, startNginx } from './harness/nginx.ts'
import { type Accepts, freshWallet, pay } from './money/payer.ts'
import { sendRaw } from './money/raw-http.ts'

const priced = (await loadTools()).filter(({ access }) => probeNeedsPayment(access))
const address = (digit: string): string => `0x${digit.repeat(40)}`

let folder: string
let served: Awaited<ReturnType<typeof serve>>
let local: string
let closePool: () => Promise<void>

/** A server with everything that makes a 402 long: a pass, signatures, and a long address for the world. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-proxy-'))
  const keyFile = join(folder, 'key.pem')
  const { privateKey } = generateKeyPairSync('ed25519')
  await writeFile(keyFile, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  const pooled = createPooledFetch()
  closePool = pooled.close
  const port = await freePort()
  served = await serve({
    config: parseConfig({
      TOLLGATE_PORT: String(port),
      TOLLGATE_PUBLIC_URL: 'https://agent-tools.some-company-name.example.org',
      TOLLGATE_PAY_TO: address('1'),
      TOLLGATE_TOOL_PASS: address('2'),
      TOLLGATE_CERTIFICATES: address('3'),
      TOLLGATE_REGISTRY: address('4'),
      TOLLGATE_OPENSEA_KEY: 'some-key',
      TOLLGATE_BLOCKSCOUT_KEY: 'some-key',
      TOLLGATE_POSTS_FEED: 'http://127.0.0.1:9',
      TOLLGATE_NATIVE_TOKEN: JSON.stringify({ symbol: 'TOLL', contract: address('5'), vault: address('6'), pools: [] }),
      TOLLGATE_SIGNING_KEY_FILE: keyFile,
      TOLLGATE_DATA_DIR: folder,
      TOLLGATE_BASE_RPC_URLS: 'http://127.0.0.1:9',
      TOLLGATE_FACILITATOR_URL: 'http://127.0.0.1:9',
    }),
    tools: priced,
    clock: systemClock,
    log: silentLog,
    failpoint: noFailpoints,
    fetch: pooled.fetch,
    store: await openSqliteStore(':memory:'),
  })
  local = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  await served.stop()
  await closePool()
  await rm(folder, { recursive: true, force: true })
})

type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly body: string
}

/** The raw client asks to close the connection; one that is kept is said in more words, and by a longer request id. */
const keepAliveBytes = 40

const json = 'content-type: application/json'

/**
 * The ways to be told the price: a bare probe, the example, the longest question in the address, a payment that is
 * refused.
 */
async function questionsTo(tool: Tool): Promise<readonly (readonly [name: string, asked: Asked])[]> {
  const path = endpointPathOf(tool)
  const body = JSON.stringify(tool.examples[0]?.input ?? {})
  const bare = await fetch(`${local}${path}`, { method: 'POST' })
  const { accepts } = (await bare.json()) as { readonly accepts: readonly [Accepts] }
  const wrong = await pay(freshWallet(), { ...accepts[0], payTo: address('9') })
  const query = new URLSearchParams(
    Object.fromEntries(
      Object.entries(tool.examples[0]?.input ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  ).toString()
  const ask = (asked: Partial<Asked>): Asked => ({ method: 'POST', path, headers: [], body: '', ...asked })
  return [
    ['a bare probe', ask({})],
    ['a HEAD', ask({ method: 'HEAD' })],
    ['the example', ask({ headers: [json], body })],
    ['the example in the query', ask({ method: 'GET', path: `${path}?${query}` })],
    ['a long address', ask({ method: 'GET', path: `${path}?${query}&x402Version=${'2'.repeat(1_500)}` })],
    ['a refused payment', ask({ headers: [json, `payment-signature: ${wrong.header}`], body })],
  ]
}

const send = (url: string, { method, path, headers, body }: Asked) =>
  sendRaw(url, [`${method} ${path} HTTP/1.1`, ...headers], body)

describe('the headers of a 402', () => {
  it.each(priced.map((tool) => [tool.slug, tool] as const))(
    'of %s fit into the buffer of a proxy, signed and with the pass, whatever was asked',
    async (_slug, tool) => {
      const sizes: Record<string, number> = {}
      for (const [name, asked] of await questionsTo(tool)) {
        const { status, headers } = await send(local, asked)
        if (status !== 402) continue
        expect(headers).toContain('\nsignature: ')
        sizes[name] = Buffer.byteLength(headers) + 4 + keepAliveBytes
      }
      expect(Object.keys(sizes)).toEqual(expect.arrayContaining(['a bare probe', 'a HEAD']))
      expect(Math.max(...Object.values(sizes)), JSON.stringify(sizes)).toBeLessThanOrEqual(maxHeaderBlockBytes)
    },
  )

  it('leave room for what catalogues list, and the manifest says for which tools', async () => {
    const manifest = (await (await fetch(`${local}${paths.manifest}`)).json()) as {
      readonly tools: readonly {
        readonly slug: string
        readonly marketplace: { readonly bazaar: { discoverable: boolean } }
      }[]
    }
    for (const tool of priced.filter(({ family }) => family === 'agentic')) {
      const answer = await fetch(`${local}${endpointPathOf(tool)}`, { method: 'POST' })
      const { extensions } = (await answer.json()) as { readonly extensions: Readonly<Record<string, unknown>> }
      const listed = manifest.tools.find(({ slug }) => slug === tool.slug)
      expect([tool.slug, listed?.marketplace.bazaar.discoverable]).toEqual([tool.slug, 'bazaar' in extensions])
    }
  })
})

describe.skipIf(noNginx !== undefined)('behind nginx as it is installed', () => {
  let nginx: Nginx
  beforeAll(async () => {
    nginx = await startNginx(local)
  })
  afterAll(() => nginx.stop())

  it.each(priced.map((tool) => [tool.slug, tool] as const))(
    'every 402 of %s comes through whole',
    async (_slug, tool) => {
      for (const [name, asked] of await questionsTo(tool)) {
        const [direct, proxied] = [await send(local, asked), await send(nginx.url, asked)]
        expect([name, proxied.status]).toEqual([name, direct.status])
        if (direct.status !== 402) continue
        const termsOf = (headers: string): string | undefined => /\npayment-required: (\S+)/.exec(headers)?.[1]
        expect(termsOf(proxied.headers)).toBe(termsOf(direct.headers))
      }
    },
  )
})

if (noNginx !== undefined) process.stderr.write(`${noNginx}: the tests behind it are skipped.\n`)
