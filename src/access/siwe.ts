import { z } from 'zod'

import { CallError } from '../errors.ts'
import { createMessageSigner } from '../payments/eip3009/signature.ts'

/** What an EIP-4361 message says, as far as we look at it. */
export type SiweMessage = {
  readonly domain: string
  readonly address: string
  readonly uri: string
  readonly version: string
  readonly chainId: number
  readonly nonce: string
  readonly issuedAt: string
  readonly expirationTime: string | undefined
  readonly notBefore: string | undefined
}

/** A signed message, as one header or another carries it. */
export type SignedText = { readonly text: string; readonly signature: string }

export type SiweRules = {
  /** Root of this server as the world sees it. */
  readonly origin: string
  readonly chainId: number
  readonly now: () => number
  /**
   * Whether a contract at the address takes the signature of the text (ERC-1271, ERC-6492); undefined where nobody can
   * tell.
   */
  readonly contractAccepts: (address: string, text: string, signature: string) => Promise<boolean | undefined>
}

/**
 * Checks a signed sign-in message.
 * @throws CallError 401 saying what is wrong with it, 503 where the chain must be asked and is silent.
 */
export type SiweCheck = (signed: SignedText) => Promise<SiweMessage>

const longestLifeMs = 60 * 60_000
const skewMs = 60_000
const form = /^SIWE ([A-Za-z0-9_-]+={0,2})\.(0x(?:[0-9a-fA-F]{2})+)$/i

function refuse(reason: string): CallError {
  return new CallError('proof_rejected', `The SIWE credential is not accepted: ${reason}.`, {
    nextStep:
      'Sign a fresh EIP-4361 message for this server and send it as "Authorization: SIWE <base64url(message)>.<0xsignature>".',
  })
}

/** Reads `Authorization: SIWE <base64url(message)>.<0xsignature>` (spec/site-catalog §5). @throws CallError 401. */
export function readSiweHeader(header: string): SignedText {
  const parts = form.exec(header.trim())
  if (parts?.[1] === undefined || parts[2] === undefined || header.length > 12_000) throw refuse('its form is wrong')
  return { text: Buffer.from(parts[1], 'base64url').toString('utf8'), signature: parts[2] }
}

const siwx = z.object({
  domain: z.string(),
  address: z.string(),
  statement: z.string().optional(),
  uri: z.string(),
  version: z.string(),
  chainId: z.string().regex(/^eip155:\d{1,15}$/),
  type: z.literal('eip191').optional(),
  nonce: z.string(),
  issuedAt: z.string(),
  expirationTime: z.string().optional(),
  notBefore: z.string().optional(),
  requestId: z.string().optional(),
  resources: z.array(z.string()).optional(),
  signature: z.string().regex(/^0x(?:[0-9a-fA-F]{2})+$/),
})

/** Reads the `SIGN-IN-WITH-X` header of x402: the fields of the same message as base64 JSON. @throws CallError 401. */
export function readSiwxHeader(header: string): SignedText {
  if (header.length > 12_000) throw refuse('it is too long')
  let decoded: unknown
  try {
    decoded = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    throw refuse('it is not base64 of JSON')
  }
  const parsed = siwx.safeParse(decoded)
  if (!parsed.success) throw refuse(`its field ${parsed.error.issues[0]?.path.join('.') ?? ''} is wrong`)
  const { signature, ...fields } = parsed.data
  const text = [
    `${fields.domain} wants you to sign in with your Ethereum account:`,
    fields.address,
    '',
    ...(fields.statement === undefined ? [] : [fields.statement]),
    '',
    `URI: ${fields.uri}`,
    `Version: ${fields.version}`,
    `Chain ID: ${fields.chainId.slice('eip155:'.length)}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${fields.issuedAt}`,
    ...(fields.expirationTime === undefined ? [] : [`Expiration Time: ${fields.expirationTime}`]),
    ...(fields.notBefore === undefined ? [] : [`Not Before: ${fields.notBefore}`]),
    ...(fields.requestId === undefined ? [] : [`Request ID: ${fields.requestId}`]),
    ...(fields.resources === undefined ? [] : ['Resources:', ...fields.resources.map((one) => `- ${one}`)]),
  ].join('\n')
  return { text, signature }
}

/** Verifies that the message is for this server, valid now, and signed by its address. */
export function createSiweCheck(rules: SiweRules): SiweCheck {
  const origin = new URL(rules.origin)
  let signer: ReturnType<typeof createMessageSigner> | undefined
  return async ({ text, signature }) => {
    const message = parseSiwe(text)
    if (message === undefined) throw refuse('it holds no EIP-4361 message')
    const fault = faultOf(message, origin, rules)
    if (fault !== undefined) throw refuse(fault)
    const recovered = await (await (signer ??= createMessageSigner()))(text, signature)
    if (recovered === message.address.toLowerCase()) return message
    const accepted = await rules.contractAccepts(message.address, text, signature)
    if (accepted === undefined) {
      throw new CallError('unavailable', 'The chain cannot be asked about this signature at the moment.', {
        nextStep: 'Try again in a moment.',
        retryAfterSeconds: 5,
      })
    }
    if (!accepted) throw refuse('the signature is not that of its address')
    return message
  }
}

function faultOf(message: SiweMessage, origin: URL, rules: SiweRules): string | undefined {
  const now = rules.now()
  if (message.domain !== origin.host) return `its domain must be ${origin.host}`
  if (message.uri !== origin.origin && !message.uri.startsWith(`${origin.origin}/`))
    return `its URI must be of ${origin.origin}`
  if (message.version !== '1') return 'its version must be 1'
  if (message.chainId !== rules.chainId) return `its chain id must be ${rules.chainId}`
  if (message.nonce.length < 8) return 'its nonce must have at least 8 characters'
  const issued = Date.parse(message.issuedAt)
  if (!(issued <= now + skewMs)) return 'it was issued in the future'
  if (message.expirationTime === undefined) return 'it must say when it expires'
  const expires = Date.parse(message.expirationTime)
  if (!(expires > now)) return 'it has expired'
  // Counted from its issue and from now: neither an old message of long life nor one issued ahead of time gets in.
  if (expires > Math.min(issued, now) + longestLifeMs + skewMs) return 'it may be valid for at most 60 minutes'
  if (message.notBefore !== undefined && !(Date.parse(message.notBefore) <= now + skewMs)) return 'it is not valid yet'
  return undefined
}

const fields = z.object({
  URI: z.string().min(1),
  Version: z.string(),
  'Chain ID': z.string().regex(/^\d{1,15}$/),
  Nonce: z.string().regex(/^[A-Za-z0-9]{1,256}$/),
  'Issued At': z.iso.datetime({ offset: true }),
  'Expiration Time': z.iso.datetime({ offset: true }).optional(),
  'Not Before': z.iso.datetime({ offset: true }).optional(),
})

/** Reads an EIP-4361 message; undefined where it is not one. */
function parseSiwe(text: string): SiweMessage | undefined {
  const lines = text.split('\n')
  const head = /^(?:https?:\/\/)?([^\s/]+) wants you to sign in with your Ethereum account:$/.exec(lines[0] ?? '')
  const address = /^0x[0-9a-fA-F]{40}$/.exec(lines[1] ?? '')
  const start = lines.findIndex((line, index) => index > 1 && line.startsWith('URI: '))
  if (head?.[1] === undefined || address === null || start === -1) return undefined
  const pairs: Record<string, string> = {}
  for (const line of lines.slice(start)) {
    const at = line.indexOf(': ')
    if (at === -1) break
    const name = line.slice(0, at)
    // A field given twice could mean one thing to the wallet and another to us.
    if (name in pairs) return undefined
    pairs[name] = line.slice(at + 2)
  }
  const parsed = fields.safeParse(pairs)
  if (!parsed.success) return undefined
  const found = parsed.data
  return {
    domain: head[1],
    address: address[0],
    uri: found.URI,
    version: found.Version,
    chainId: Number(found['Chain ID']),
    nonce: found.Nonce,
    issuedAt: found['Issued At'],
    expirationTime: found['Expiration Time'],
    notBefore: found['Not Before'],
  }
}

/**
 * The address that a message says it is for, before anything of it is checked; undefined where it is no such message.
 */
export function siweUriOf(text: string): string | undefined {
  return parseSiwe(text)?.uri
}
