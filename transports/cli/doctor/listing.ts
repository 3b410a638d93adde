import { z } from 'zod'

import { index402Path } from '../../../src/describe/documents.ts'
import { packageInfo } from '../../../src/platform/package-info.ts'
import { cleanText } from '../../../src/tool/text.ts'
import { paths } from '../../../src/tool/urls.ts'
import { readBody } from '../../client/answers.ts'
import type { Finding } from './operator.ts'

const timeoutMs = 5_000
const most = 4 * 1_048_576
/** Operations whose price is asked for; a directory that looks at more of one server is not known. */
const mostProbes = 100
const atOnce = 8

type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined where the text is no JSON. */
  readonly json: unknown
}

/** What was asked once and is looked at by several directories. */
type Seen = {
  readonly base: URL
  readonly openapi: Answer | undefined
  readonly llms: Answer | undefined
  readonly operations: readonly Operation[]
  readonly terms: ReadonlyMap<Operation, Answer | undefined>
  readonly card: Answer | undefined
  readonly mcp: Mcp
}

type Operation = { readonly method: string; readonly path: string; readonly facts: z.infer<typeof operationShape> }

type Mcp = { readonly url: string; readonly fault?: string; readonly tools: readonly z.infer<typeof toolShape>[] }

const operationShape = z.looseObject({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  parameters: z.array(z.unknown()).optional(),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.unknown()).optional(),
  security: z.unknown().optional(),
  'x-payment-info': z
    .looseObject({
      price: z.looseObject({ mode: z.string(), currency: z.string(), amount: z.string().optional() }).optional(),
      protocols: z.array(z.record(z.string(), z.unknown())).optional(),
    })
    .optional(),
})

const openapiShape = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), description: z.string().optional() }),
  servers: z.array(z.looseObject({ url: z.string() })).optional(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
})

const toolShape = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.unknown(), properties: z.record(z.string(), z.unknown()).optional() }),
  annotations: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
})

const termsShape = z.looseObject({
  x402Version: z.number(),
  resource: z.looseObject({ url: z.string(), description: z.string().optional() }).optional(),
  accepts: z.array(z.looseObject({ scheme: z.string(), network: z.string(), payTo: z.string() })).min(1),
  extensions: z
    .looseObject({ bazaar: z.looseObject({ info: z.unknown(), schema: z.unknown() }).optional() })
    .optional(),
})

const cardShape = z.looseObject({
  name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  version: z.string(),
  description: z.string().min(1),
  remotes: z.array(z.looseObject({ type: z.string(), url: z.string() })).min(1),
})

/**
 * Asks a server what the directories of paid tools and of MCP servers ask it, and says of each what keeps the server out.
 * It replays their questions as they were published; being listed is theirs to decide, and some of them want a form sent in
 * or a first payment.
 *
 * @param base address of the server, without a path
 */
export async function examineListing(base: string): Promise<readonly Finding[]> {
  const seen = await lookAround(new URL(base))
  return [
    addressFinding(seen),
    ...merge('x402scan and agentcash', originFaults(seen), `${seen.terms.size} paid operations can be registered`),
    ...merge(
      'Bazaar',
      bazaarFaults(seen),
      'terms say what goes in; listed after the first payment through its facilitator',
    ),
    ...merge('mppx validate', hygieneFaults(seen), 'the description and the 402s hold'),
    ...merge('402index', await indexFaults(seen), 'the claim is there'),
    ...merge('MCP Registry', registryFaults(seen), `the card names ${seen.mcp.url}, which answers`),
    ...merge('Smithery', smitheryFaults(seen), `${seen.mcp.tools.length} tools are scanned`),
    ...merge('Glama', await glamaFaults(seen), 'the connector names who maintains it'),
  ]
}

type Fault = Omit<Finding, 'check'>

const fail = (found: string, fix: string): Fault => ({ status: 'fail', found, fix })
const warn = (found: string, fix: string): Fault => ({ status: 'warn', found, fix })

/** What is wrong for a directory, or that nothing is. */
function merge(check: string, faults: readonly Fault[], fine: string): readonly Finding[] {
  if (faults.length === 0) return [{ check, status: 'ok', found: fine }]
  return faults.map((fault) => ({ check, ...fault }))
}

function addressFinding({ base }: Seen): Finding {
  const check = 'address'
  if (base.protocol !== 'https:') {
    return { check, ...warn(`${base.origin} is not https`, 'No directory lists an address without https.') }
  }
  return { check, status: 'ok', found: base.origin }
}

/** The registration of x402scan and the discovery of agentcash: the description at the root, then each operation's 402. */
function originFaults({ openapi, operations, terms, llms }: Seen): readonly Fault[] {
  if (openapi === undefined || openapi.status !== 200)
    return [fail(`${paths.rootOpenapi} is not there`, 'It is the only document they read.')]
  const shape = openapiShape.safeParse(openapi.json)
  if (!shape.success)
    return [fail(`${paths.rootOpenapi}: ${firstIssue(shape.error)}`, 'Describe the API by OpenAPI 3.')]
  const faults: Fault[] = []
  if (operations.length === 0)
    faults.push(fail('no operation has x-payment-info', 'Without a price an operation is taken for a free one.'))
  faults.push(
    ...counted(
      operations,
      noPrice,
      'x-payment-info lacks a price of mode, currency and amount',
      'Add { price, protocols }.',
    ),
    ...counted(operations, noProtocol, 'x-payment-info names no x402 among its protocols', 'Add { "x402": {} }.'),
    ...counted(operations, no402, 'the operation describes no 402', 'Add the response 402.'),
    ...counted(operations, noInput, 'no input schema: it is listed as skipped', 'Describe the body or the parameters.'),
    ...counted(operations, (one) => terms.get(one)?.status === 200, 'it answers without a payment', freeAnswers, warn),
    ...counted(
      operations,
      (one) => termsFault(terms.get(one)) !== undefined,
      firstTermsFault(operations, terms),
      wrongTerms,
    ),
  )
  if (llms === undefined || llms.status !== 200)
    faults.push(warn(`${paths.llms} is not there`, 'Agents are told how to use the server there.'))
  return faults
}

const freeAnswers = 'It is registered as free, or not at all; calls beyond a free allowance are still paid.'
const wrongTerms = 'An empty request must be answered with 402 and its terms, before its input is checked.'

const noPrice = ({ facts }: Operation): boolean => {
  const price = facts['x-payment-info']?.price
  return price === undefined || (price.mode === 'fixed' && price.amount === undefined)
}
const noProtocol = ({ facts }: Operation): boolean =>
  !(facts['x-payment-info']?.protocols ?? []).some((one) => Object.hasOwn(one, 'x402'))
const no402 = ({ facts }: Operation): boolean => !Object.hasOwn(facts.responses ?? {}, '402')
const noInput = ({ method, facts }: Operation): boolean =>
  method === 'post' ? facts.requestBody === undefined : facts.parameters === undefined

/** One fault for all operations that have it, with the first one's name. */
function counted(
  operations: readonly Operation[],
  isBad: (operation: Operation) => boolean,
  words: string,
  fix: string,
  weight = fail,
): readonly Fault[] {
  const bad = operations.filter((operation) => isBad(operation))
  const [first] = bad
  if (first === undefined) return []
  const name = `${first.method.toUpperCase()} ${cleanText(first.path, 100)}`
  return [weight(`${bad.length} of ${operations.length} (${name}): ${words}`, fix)]
}

function firstTermsFault(operations: readonly Operation[], terms: Seen['terms']): string {
  return operations.map((one) => termsFault(terms.get(one))).find((fault) => fault !== undefined) ?? ''
}

/** Why an answer is not taken for a 402 of x402; undefined where it is. */
function termsFault(answer: Answer | undefined): string | undefined {
  if (answer === undefined) return 'it does not answer'
  // Closed for the moment and open again by itself; or free, which is said apart.
  if (answer.status === 503 || answer.status === 200) return undefined
  if (answer.status !== 402) return `it answers ${answer.status} instead of 402`
  const shape = termsShape.safeParse(termsOf(answer))
  return shape.success ? undefined : `its terms: ${firstIssue(shape.error)}`
}

/** The terms of a 402: in the header (version 2), else in the body. */
function termsOf(answer: Answer): unknown {
  const header = answer.headers.get('payment-required')
  return header === null ? answer.json : parsed(Buffer.from(header, 'base64').toString('utf8'))
}

/** What a facilitator's catalog takes from the terms when the first payment goes through it. */
function bazaarFaults({ operations, terms, base }: Seen): readonly Fault[] {
  const faults: Fault[] = []
  const readable = operations.flatMap((operation) => {
    const answer = terms.get(operation)
    const shape = answer?.status === 402 ? termsShape.safeParse(termsOf(answer)) : undefined
    return shape?.success === true ? [{ operation, terms: shape.data }] : []
  })
  if (readable.length === 0) return [fail('no operation answers with terms', wrongTerms)]
  const bare = readable.filter(({ terms: one }) => one.extensions?.bazaar === undefined)
  if (bare.length > 0) {
    const [first] = bare
    faults.push(
      warn(
        `${bare.length} of ${readable.length} (${cleanText(first?.operation.path ?? '', 100)}) do not say what goes in: no extension "bazaar"`,
        'Those are paid, and not catalogued. Shorter examples make room for it.',
      ),
    )
  }
  const elsewhere = readable.filter(({ terms: one }) => hostOf(one.resource?.url) !== base.host)
  if (elsewhere.length > 0) {
    faults.push(
      fail(
        `${elsewhere.length} of ${readable.length} name another address: ${cleanText(elsewhere[0]?.terms.resource?.url ?? 'none', 200)}`,
        'Set TOLLGATE_PUBLIC_URL to the address that clients use.',
      ),
    )
  }
  const test = readable.filter(({ terms: one }) => one.accepts.every(({ network }) => testNetworks.has(network)))
  if (test.length > 0)
    faults.push(
      warn(`${test.length} of ${readable.length} take test money only`, 'Catalogs of real services leave them out.'),
    )
  return faults
}

const testNetworks: ReadonlySet<string> = new Set(['eip155:84532', 'base-sepolia', 'eip155:31337'])

function hygieneFaults({ openapi, llms, operations, terms }: Seen): readonly Fault[] {
  const faults: Fault[] = []
  if (openapi?.status !== 200) faults.push(fail(`${paths.rootOpenapi} is not there`, 'Describe the API by OpenAPI 3.'))
  if (llms?.status !== 200) faults.push(warn(`${paths.llms} is not there`, 'It is read first where it is there.'))
  faults.push(
    ...counted(
      operations,
      (one) => terms.get(one)?.status === 402 && !/no-store/.test(terms.get(one)?.headers.get('cache-control') ?? ''),
      'the 402 may be cached',
      'Answer it with Cache-Control: no-store; a proxy may have taken it off.',
    ),
  )
  return faults
}

async function indexFaults({ base }: Seen): Promise<readonly Fault[]> {
  const answer = await ask(new URL(index402Path, base))
  if (answer?.status !== 200)
    return [
      warn('no claim', 'Ask 402index.io for one and set TOLLGATE_402INDEX_HASH; without it the entry is nobody’s.'),
    ]
  return /^[0-9a-f]{64}$/i.test(answer.text.trim())
    ? []
    : [fail('the claim is not a SHA-256 in hex', `${index402Path} must hold it and nothing else, as text/plain.`)]
}

function registryFaults({ card, mcp }: Seen): readonly Fault[] {
  const faults: Fault[] = []
  const shape = cardShape.safeParse(card?.json)
  if (!shape.success)
    faults.push(
      warn(
        `the server card: ${firstIssue(shape.error)}`,
        'The entry is made from server.json; the card says the same.',
      ),
    )
  else if (shape.data.description.length > 100)
    faults.push(fail('the description is longer than 100 characters', 'Shorten it.'))
  if (mcp.fault !== undefined)
    faults.push(fail(`${mcp.url}: ${mcp.fault}`, 'A remote that does not answer is not listed.'))
  return faults
}

function smitheryFaults({ mcp, card }: Seen): readonly Fault[] {
  if (mcp.fault !== undefined) {
    return card?.status === 200
      ? [warn(`${mcp.url}: ${mcp.fault}`, 'Its scan fails; the server card is what it reads instead.')]
      : [fail(`${mcp.url}: ${mcp.fault}`, 'Its scan fails, and there is no server card to read instead.')]
  }
  const { tools } = mcp
  return [
    ...scored(tools, ({ description }) => (description ?? '') === '', 'have no description'),
    ...scored(tools, ({ annotations }) => annotations === undefined, 'have no annotations'),
    ...scored(tools, ({ outputSchema }) => outputSchema === undefined, 'have no output schema'),
  ]
}

async function glamaFaults({ base, mcp }: Seen): Promise<readonly Fault[]> {
  const answer = await ask(new URL('/.well-known/glama.json', base))
  const shape = z
    .looseObject({ maintainers: z.array(z.looseObject({ email: z.email() })).min(1) })
    .safeParse(answer?.json)
  const faults: Fault[] = []
  if (answer?.status !== 200 || !shape.success) {
    faults.push(
      warn('nobody is named as its maintainer', 'Set TOLLGATE_MAINTAINER_EMAIL; the connector can then be claimed.'),
    )
  }
  return [
    ...faults,
    ...scored(mcp.tools, ({ description }) => (description ?? '').length < 40, 'say too little of themselves'),
    ...scored(mcp.tools, isMute, 'have arguments without a description'),
  ]
}

/** Whether any argument of a tool has no words. */
function isMute({ inputSchema }: z.infer<typeof toolShape>): boolean {
  return Object.values(inputSchema.properties ?? {}).some(
    (one) => typeof one !== 'object' || one === null || !('description' in one || '$ref' in one),
  )
}

function scored(
  tools: Mcp['tools'],
  isPoor: (tool: z.infer<typeof toolShape>) => boolean,
  words: string,
): readonly Fault[] {
  const poor = tools.filter((tool) => isPoor(tool))
  if (poor.length === 0) return []
  return [
    warn(
      `${poor.length} of ${tools.length} tools (${cleanText(poor[0]?.name ?? '', 100)}) ${words}`,
      'It lowers the score that the list is ordered by.',
    ),
  ]
}

async function lookAround(base: URL): Promise<Seen> {
  const [openapi, llms, card] = await Promise.all([
    ask(new URL(paths.rootOpenapi, base)),
    ask(new URL(paths.llms, base)),
    ask(new URL('/.well-known/mcp/server-card.json', base)),
  ])
  const operations = operationsOf(openapi)
  const [terms, mcp] = await Promise.all([termsOfAll(base, operations), lookAtMcp(base, card)])
  return { base, openapi, llms, operations, terms, card, mcp: { ...mcp, url: cleanText(mcp.url, 200) } }
}

const methods: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** The operations that name a price. */
function operationsOf(openapi: Answer | undefined): readonly Operation[] {
  const shape = openapiShape.safeParse(openapi?.json)
  if (!shape.success) return []
  return Object.entries(shape.data.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, value]) => {
      const facts = methods.has(method) ? operationShape.safeParse(value) : undefined
      return facts?.success === true && facts.data['x-payment-info'] !== undefined
        ? [{ method, path, facts: facts.data }]
        : []
    }),
  )
}

async function termsOfAll(base: URL, operations: readonly Operation[]): Promise<Seen['terms']> {
  const terms = new Map<Operation, Answer | undefined>()
  const waiting = operations.slice(0, mostProbes)
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      // They join the path to the origin, whatever servers the document names.
      terms.set(one, await ask(new URL(one.path, base), { method: one.method.toUpperCase() }))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return terms
}

/** Initializes and lists the tools, as a scan without any credential does. */
async function lookAtMcp(base: URL, card: Answer | undefined): Promise<Mcp> {
  const named = cardShape.safeParse(card?.json)
  const url = new URL(named.success ? (named.data.remotes[0]?.url ?? '') : paths.mcp, base).href
  const call = async (method: string, params: unknown): Promise<unknown> => {
    const answer = await ask(new URL(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    if (answer === undefined) throw new Error('it does not answer')
    if (answer.status !== 200) throw new Error(`${method} is answered with ${answer.status}`)
    const message = z.looseObject({ result: z.unknown() }).safeParse(answer.json ?? eventIn(answer.text))
    if (!message.success || message.data.result === undefined) throw new Error(`${method} is answered with no result`)
    return message.data.result
  }
  try {
    const clientInfo = { name: 'tollgate-doctor', version: packageInfo.version }
    await call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    const { tools } = z.looseObject({ tools: z.array(toolShape) }).parse(await call('tools/list', {}))
    return tools.length === 0 ? { url, tools, fault: 'it lists no tools' } : { url, tools }
  } catch (error) {
    const words =
      error instanceof z.ZodError ? `its tools: ${firstIssue(error)}` : error instanceof Error ? error.message : ''
    return { url, tools: [], fault: words }
  }
}

/** The first message of a stream of events. */
function eventIn(text: string): unknown {
  return parsed(/^data: ?(.*)$/m.exec(text)?.[1] ?? '')
}

/** One question, with a deadline and a size; undefined where nothing came back. Redirects are not followed: they are not either. */
async function ask(url: URL, init: RequestInit = {}): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs), ...init })
    const text = (await readBody(response, most)).toString('utf8')
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  } catch {
    // That it does not answer is the finding.
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No JSON: whoever wanted some says so.
    return undefined
  }
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse(url) ? undefined : new URL(url).host
}

/** In words of ours: what others wrote there stays there. */
function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues
  return issue === undefined || issue.path.length === 0
    ? 'it is not there, or is no JSON'
    : `${issue.path.join('.')} is missing or wrong`
}
