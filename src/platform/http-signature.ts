import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

import * as v from 'valibot'

import { parsedJson } from './json.ts'
import { read } from './read.ts'

/** The public half of a signing key, as it stands in a directory. `kid` is its RFC 7638 thumbprint. */
export type PublicJwk = {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly use: 'sig'
}

export type SigningKey = { readonly jwk: PublicJwk; readonly privateKey: KeyObject }

/** What a signature of a response says about the request it answers. */
export type SignedRequest = { readonly method: string; readonly url: string }

export type AnswerToSign = {
  readonly status: number
  readonly body: Uint8Array
  /** Header fields to cover beside the digest of the body, in lower case. */
  readonly fields: Readonly<Record<string, string>>
  readonly request: SignedRequest
}

/** The headers that carry a signature. */
export type SignatureHeaders = Readonly<Record<string, string>>

/** Signs what this server says (RFC 9421), as the x402 extension `http-message-signatures` describes it. */
export type ResponseSigner = {
  readonly keyId: string
  readonly sign: (answer: AnswerToSign) => SignatureHeaders
  /** The directory of our keys, and the headers that prove that we hold them. */
  readonly directory: () => { readonly body: string; readonly headers: SignatureHeaders }
}

/** Where a server shows the keys it signs with. */
export const directoryPath = '/.well-known/http-message-signatures-directory'

export const directoryType = 'application/http-message-signatures-directory+json'

export const responseTag = 'x402-response'
const directoryTag = 'http-message-signatures-directory'
const responseLifeSeconds = 300
const directoryLifeSeconds = 7_200
const skewSeconds = 60

/** Components that every signed response covers, before and after its header fields. */
const derived = ['"@method";req', '"@authority";req', '"@path";req', '"@query";req'] as const

/** Reads a private Ed25519 key, PEM or JWK. @throws Error without a word of the text, which is a secret. */
export function readSigningKey(text: string): SigningKey {
  let privateKey: KeyObject
  try {
    privateKey = text.trimStart().startsWith('{')
      ? createPrivateKey({ key: v.parse(v.record(v.string(), v.string()), JSON.parse(text)), format: 'jwk' })
      : createPrivateKey(text)
  } catch {
    // The library's message may quote the file.
    throw new Error('There is no private key in PEM or JWK form.')
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('The key must be an Ed25519 key.')
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { jwk: { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprintOf(x), use: 'sig' }, privateKey }
}

/** RFC 7638: the members that make the key, in the order of the alphabet. */
function thumbprintOf(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
}

/** RFC 9530 `content-digest` of a body. */
function contentDigestOf(body: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
}

/**
 * @param origin address of the server as the world sees it; the directory's signature binds the keys to it.
 * @param others keys that are shown and not signed with: the next one before it is used, and the former one after it.
 */
export function createResponseSigner(
  key: SigningKey,
  origin: string,
  now: () => number,
  others: readonly SigningKey[] = [],
): ResponseSigner {
  const signed = (
    label: string,
    components: readonly string[],
    { tag, lifeSeconds, by = key }: { readonly tag: string; readonly lifeSeconds: number; readonly by?: SigningKey },
    message: Message,
  ) => {
    const created = Math.floor(now() / 1_000)
    const params = `(${components.join(' ')});created=${created};expires=${created + lifeSeconds};keyid="${by.jwk.kid}";alg="ed25519";tag="${tag}"`
    const signature = sign(null, Buffer.from(baseOf(components, params, message)), by.privateKey)
    return { 'signature-input': `${label}=${params}`, signature: `${label}=:${signature.toString('base64')}:` }
  }
  return {
    keyId: key.jwk.kid,
    sign: ({ status, body, fields, request }) => {
      const digest = contentDigestOf(body)
      const names = Object.keys(fields).map((name) => `"${name}"`)
      const covered = ['"@status"', '"content-digest"', ...names, ...derived]
      const field = (name: string): string | undefined => (name === 'content-digest' ? digest : fields[name])
      return {
        'content-digest': digest,
        ...signed('resp', covered, { tag: responseTag, lifeSeconds: responseLifeSeconds }, { status, field, request }),
      }
    },
    directory: () => {
      const message = {
        status: 200,
        field: () => undefined,
        request: { method: 'GET', url: `${origin}${directoryPath}` },
      }
      // Each key signs it, because a key counts only where whoever shows it holds it.
      const proofs = [key, ...others].map((by, index) =>
        signed(
          `binding${index}`,
          ['"@authority";req'],
          { tag: directoryTag, lifeSeconds: directoryLifeSeconds, by },
          message,
        ),
      )
      const joined = (name: 'signature-input' | 'signature'): string => proofs.map((proof) => proof[name]).join(', ')
      return {
        body: JSON.stringify({ keys: [key, ...others].map(({ jwk }) => jwk) }),
        headers: { 'signature-input': joined('signature-input'), signature: joined('signature') },
      }
    },
  }
}

type Message = {
  readonly status: number
  readonly field: (name: string) => string | undefined
  readonly request: SignedRequest
}

/** RFC 9421 §2.5. @throws SignatureError where a component is not there or not known. */
function baseOf(components: readonly string[], params: string, message: Message): string {
  return [
    ...components.map((component) => `${component}: ${valueOf(component, message)}`),
    `"@signature-params": ${params}`,
  ].join('\n')
}

function valueOf(component: string, { status, field, request }: Message): string {
  const url = new URL(request.url)
  switch (component) {
    case '"@status"':
      return String(status)
    case '"@method";req':
      return request.method
    case '"@authority";req':
      return url.host
    case '"@path";req':
      return url.pathname
    case '"@query";req':
      return url.search === '' ? '?' : url.search
    default: {
      const name = /^"([a-z0-9!#$%&'*+.^_`|~-]+)"$/.exec(component)?.[1]
      const value = name === undefined ? undefined : field(name)
      if (value === undefined) throw new SignatureError(`it covers ${component}, which is not in the answer`)
      return value.trim()
    }
  }
}

/** A response whose signature cannot be trusted. */
export class SignatureError extends Error {
  constructor(reason: string) {
    super(`The signature of the answer is not accepted: ${reason}.`)
    this.name = 'SignatureError'
  }
}

export type SignedResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** Keys of a server by their thumbprints. */
export type KeyDirectory = ReadonlyMap<string, KeyObject>

/**
 * Checks that a server whose keys are in `directory` gave exactly this answer to exactly this request, and not long
 * ago.
 * @throws SignatureError saying what is missing or wrong; an answer that throws must not be acted upon.
 */
export function verifyResponse(
  response: SignedResponse,
  request: SignedRequest,
  directory: KeyDirectory,
  now: number,
): void {
  const { status, headers, body } = response
  const digest = headers.get('content-digest')
  if (digest === null) throw new SignatureError('content-digest is missing')
  // The answer to a HEAD has the digest of a body that is not there.
  if (request.method !== 'HEAD' && digest !== contentDigestOf(body)) throw new SignatureError('the body was changed')
  const required = [
    '"@status"',
    '"content-digest"',
    ...['payment-required', 'payment-response'].filter((name) => headers.has(name)).map((name) => `"${name}"`),
    ...derived,
  ]
  const member = onlyWithTag(headers, responseTag)
  if (!isSigned(member, required, { status, headers, request }, directory, now)) {
    throw new SignatureError('it does not fit the answer')
  }
}

const instant = v.pipe(v.number(), v.finite())
const directoryDocument = v.object({
  keys: v.pipe(
    v.array(
      v.object({
        kty: v.string(),
        crv: v.optional(v.string()),
        x: v.optional(v.string()),
        nbf: v.optional(instant),
        exp: v.optional(instant),
      }),
    ),
    v.maxLength(64),
  ),
})

/**
 * The keys of a server from its directory. A key counts only where the directory is signed with it too: nobody can list
 * a key of somebody else. @throws SignatureError where there is none.
 */
export function readDirectory(response: SignedResponse, url: string, now: number): KeyDirectory {
  const { headers, body } = response
  const parsed = read(directoryDocument, parsedJson(Buffer.from(body).toString('utf8')))
  if (response.status !== 200 || parsed === undefined)
    throw new SignatureError('the server shows no directory of its keys')
  const members = signedMembers(headers).filter(({ params }) => params.get('tag') === directoryTag)
  const message = { status: 200, headers, request: { method: 'GET', url } }
  const seconds = now / 1_000
  const directory = new Map<string, KeyObject>()
  for (const { kty, crv, x, nbf = 0, exp = Number.MAX_SAFE_INTEGER } of parsed.keys) {
    if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined || nbf > seconds + skewSeconds || exp <= seconds) continue
    const id = thumbprintOf(x)
    const binding = members.find(({ params }) => params.get('keyid') === id)
    if (binding === undefined) continue
    const key = publicKeyOf(x)
    if (!isSigned(binding, ['"@authority";req'], message, new Map([[id, key]]), now)) {
      const { host } = new URL(url)
      throw new SignatureError(
        `the directory of keys is not signed for ${host}, and a server signs for its public address`,
      )
    }
    directory.set(id, key)
  }
  if (directory.size === 0) throw new SignatureError('the directory holds no key that it is signed with')
  return directory
}

function publicKeyOf(x: string): KeyObject {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  } catch {
    throw new SignatureError('the directory holds a key that is none')
  }
}

/** One member of Signature-Input, with its signature. */
type SignedMember = {
  readonly components: readonly string[]
  readonly params: ReadonlyMap<string, string>
  /** The member's value as it was sent: part of what is signed. */
  readonly raw: string
  readonly signature: Buffer
}

type ReceivedMessage = { readonly status: number; readonly headers: Headers; readonly request: SignedRequest }

/** Whether the signature is the key's. @throws SignatureError where it covers too little or is out of date. */
function isSigned(
  member: SignedMember,
  required: readonly string[],
  { status, headers, request }: ReceivedMessage,
  directory: KeyDirectory,
  now: number,
): boolean {
  const { components, params, raw, signature } = member
  if (new Set(components).size < components.length) throw new SignatureError('it covers something twice')
  const missing = required.find((component) => !components.includes(component))
  if (missing !== undefined) throw new SignatureError(`it does not cover ${missing}`)
  const algorithm = params.get('alg') ?? 'ed25519'
  if (algorithm !== 'ed25519') throw new SignatureError('its algorithm is not ed25519')
  const seconds = now / 1_000
  const [created, expires] = [Number(params.get('created')), Number(params.get('expires'))]
  if (!(created <= seconds + skewSeconds)) throw new SignatureError('it was made in the future')
  if (!(expires > seconds - skewSeconds)) throw new SignatureError('it has expired')
  const key = directory.get(params.get('keyid') ?? '')
  if (key === undefined) throw new SignatureError('its key is not in the directory of the server')
  const base = baseOf(components, raw, { status, field: (name) => headers.get(name) ?? undefined, request })
  return verify(null, Buffer.from(base), key, signature)
}

function onlyWithTag(headers: Headers, tag: string): SignedMember {
  const [member, other] = signedMembers(headers).filter(({ params }) => params.get('tag') === tag)
  if (member === undefined) throw new SignatureError('there is none')
  if (other !== undefined) throw new SignatureError('there are several')
  return member
}

// The part of RFC 8941 that signatures are written in. What does not fit is not read at all.
const sfKey = '[a-z*][a-z0-9_.*-]*'
const sfText = String.raw`"(?:[^"\\]|\\["\\])*"`
const sfParams = String.raw`(?:;${sfKey}(?:=(?:${sfText}|-?\d{1,15}|[A-Za-z*][A-Za-z0-9_.*:/-]*|\?[01]|:[A-Za-z0-9+/=]*:))?)*`
const sfItem = `${sfText}${sfParams}`
const inputMember = new RegExp(String.raw`(${sfKey})=(\((${sfItem}(?: ${sfItem})*)?\)(${sfParams}))(?:$|\s*,\s*)`, 'y')
const signatureMember = new RegExp(String.raw`(${sfKey})=:([A-Za-z0-9+/=]*):(?:$|\s*,\s*)`, 'y')

/** @throws SignatureError where the two headers are not a pair of dictionaries with the same labels. */
function signedMembers(headers: Headers): readonly SignedMember[] {
  const signatures = new Map(
    membersOf(headers.get('signature') ?? '', signatureMember).map(([, label = '', bytes = '']) => [label, bytes]),
  )
  return membersOf(headers.get('signature-input') ?? '', inputMember).map(
    ([, label = '', raw = '', items = '', params = '']) => {
      const signature = signatures.get(label)
      if (signature === undefined) throw new SignatureError(`the signature "${label}" is missing`)
      return {
        components: items.match(new RegExp(sfItem, 'g')) ?? [],
        params: paramsOf(params),
        raw,
        signature: Buffer.from(signature, 'base64'),
      }
    },
  )
}

function membersOf(text: string, member: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  const pattern = new RegExp(member)
  const end = text.trimEnd().length
  if (end > 8_192) throw new SignatureError('its headers are too long')
  while (pattern.lastIndex < end) {
    const match = pattern.exec(text)
    if (match === null) throw new SignatureError('its headers cannot be read')
    found.push(match)
  }
  return found
}

function paramsOf(text: string): ReadonlyMap<string, string> {
  const pairs = text.matchAll(new RegExp(`;(${sfKey})(?:=(${sfText}|[^;]*))?`, 'g'))
  return new Map(
    [...pairs].map(([, key = '', value = '']) => [
      key,
      value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : value,
    ]),
  )
}
