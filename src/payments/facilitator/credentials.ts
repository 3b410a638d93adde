import { createPrivateKey, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'

import { z } from 'zod'

import type { KeyScheme } from '../../platform/facilitator-config.ts'

/** What a credential is made for: one request. */
export type Asked = { readonly method: 'GET' | 'POST'; readonly host: string; readonly path: string }

/** The `Authorization` header of one request. */
export type Authorize = (asked: Asked) => string

/** A token is good for this long, as the facilitators' own kits have it. */
const lifeSeconds = 120

/** What a key file holds: an identifier and a secret, under the names that the dashboards give them. */
const keyFile = z
  .object({
    id: z.string().min(1).optional(),
    name: z.string().min(1).optional(),
    secret: z.string().min(1).optional(),
    privateKey: z.string().min(1).optional(),
  })
  .transform(({ id, name, secret, privateKey }) => ({ id: id ?? name, secret: secret ?? privateKey }))

/**
 * Makes the credentials of a facilitator from the text of its key file. No message has a part of it.
 * @throws Error where it is no such key.
 */
export function createAuthorize(scheme: KeyScheme, text: string, now: () => number): Authorize {
  if (scheme === 'bearer') {
    const token = text.trim()
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('the file must hold one token, without spaces')
    return () => `Bearer ${token}`
  }
  const { id, secret } = readKeyFile(text)
  return scheme === 'payai' ? payAi(id, secret, now) : cdp(id, secret, now)
}

/** PayAI: a short-lived JWT that says which merchant asks, the same for every path. */
function payAi(id: string, secret: string, now: () => number): Authorize {
  const der = Buffer.from(secret.trim().replace(/^payai_sk_/, ''), 'base64')
  const key = keyOf(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the secret must be an Ed25519 key (PKCS#8 in base64)')
  return () => {
    const issuedAt = Math.floor(now() / 1_000)
    return `Bearer ${jwt(
      key,
      { kid: id },
      { sub: id, iss: 'payai-merchant', iat: issuedAt, exp: issuedAt + lifeSeconds, jti: randomUUID() },
    )}`
  }
}

/**
 * Coinbase Developer Platform: a JWT bound to the one request it is sent with. Keys are Ed25519, or P-256 where older.
 */
function cdp(id: string, secret: string, now: () => number): Authorize {
  const key = keyOf(() => cdpKey(secret.trim()))
  return ({ method, host, path }) => {
    const issuedAt = Math.floor(now() / 1_000)
    return `Bearer ${jwt(
      key,
      { kid: id, nonce: randomBytes(16).toString('hex') },
      {
        sub: id,
        iss: 'cdp',
        iat: issuedAt,
        nbf: issuedAt,
        exp: issuedAt + lifeSeconds,
        uris: [`${method} ${host}${path}`],
      },
    )}`
  }
}

/** A PEM key on the curve P-256, or 64 bytes in base64: an Ed25519 seed and its public key. */
function cdpKey(secret: string): KeyObject {
  if (secret.startsWith('-----BEGIN')) {
    // Line ends are sometimes pasted as the two characters that stand for them in JSON.
    const key = createPrivateKey(secret.replaceAll('\\n', '\n'))
    const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
    if (isP256 || key.asymmetricKeyType === 'ed25519') return key
    throw new Error('neither P-256 nor Ed25519')
  }
  const bytes = Buffer.from(secret, 'base64')
  if (bytes.length !== 64) throw new Error('not 64 bytes')
  const d = bytes.subarray(0, 32).toString('base64url')
  const x = bytes.subarray(32).toString('base64url')
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
}

function keyOf(read: () => KeyObject): KeyObject {
  try {
    return read()
  } catch {
    // What the crypto library says may quote the key.
    throw new Error('the secret is no private key of the expected kind')
  }
}

function readKeyFile(text: string): { readonly id: string; readonly secret: string } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Error('the file must be JSON with "id" and "secret" (or "name" and "privateKey")')
  }
  const { id, secret } = keyFile.safeParse(json).data ?? {}
  if (id === undefined || secret === undefined) {
    throw new Error('the file must be JSON with "id" and "secret" (or "name" and "privateKey")')
  }
  return { id, secret }
}

/** A signed JSON Web Token (RFC 7519): Ed25519 as EdDSA, P-256 as ES256. */
function jwt(
  key: KeyObject,
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
): string {
  const isEd25519 = key.asymmetricKeyType === 'ed25519'
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: isEd25519 ? 'EdDSA' : 'ES256', typ: 'JWT', ...header })}.${part(claims)}`
  const signature = sign(isEd25519 ? null : 'sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
