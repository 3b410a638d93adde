import { createHash, randomBytes } from 'node:crypto'

import { createKeccak } from 'hash-wasm'
import secp256k1 from 'secp256k1'

import { authorizationType, domainType } from '../../src/payments/eip3009/types.ts'

/** One entry of `accepts`, as either server states it. */
export type Requirement = {
  readonly network: string
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly extra: { readonly name: string; readonly version: string }
}

/** Signs payments of one payer for one requirement; each has a nonce of its own. */
export type Signer = (resource: unknown) => string

/**
 * Makes a payer and what it signs with. By native code, because the signatures of a round are made before its clock
 * starts and would otherwise take longer than the round.
 * @param name any text; the same name is the same payer.
 */
export async function createSigner(name: string, requirement: Requirement): Promise<Signer> {
  const hasher = await createKeccak(256)
  const keccak = (...parts: readonly Uint8Array[]): Buffer =>
    Buffer.from(hasher.init().update(Buffer.concat(parts)).digest('binary'))
  const text = (value: string): Buffer => keccak(Buffer.from(value, 'utf8'))
  const key = createHash('sha256').update(`bench payer ${name}`).digest()
  const address = `0x${keccak(secp256k1.publicKeyCreate(key, false).subarray(1)).subarray(12).toString('hex')}`
  const separator = keccak(
    text(domainType),
    text(requirement.extra.name),
    text(requirement.extra.version),
    word(requirement.network.slice('eip155:'.length)),
    addressWord(requirement.asset),
  )
  const typeHash = text(authorizationType)

  return (resource) => {
    const nonce = randomBytes(32)
    const validBefore = String(Math.floor(Date.now() / 1_000) + 500)
    const struct = keccak(
      typeHash,
      addressWord(address),
      addressWord(requirement.payTo),
      word(requirement.amount),
      word('0'),
      word(validBefore),
      nonce,
    )
    const { signature, recid } = secp256k1.ecdsaSign(keccak(Buffer.from([0x19, 0x01]), separator, struct), key)
    const payload = {
      x402Version: 2,
      resource,
      accepted: requirement,
      payload: {
        authorization: {
          from: address,
          to: requirement.payTo,
          value: requirement.amount,
          validAfter: '0',
          validBefore,
          nonce: `0x${nonce.toString('hex')}`,
        },
        signature: `0x${Buffer.from(signature).toString('hex')}${recid === 0 ? '1b' : '1c'}`,
      },
    }
    return Buffer.from(JSON.stringify(payload)).toString('base64')
  }
}

function word(decimal: string): Buffer {
  return Buffer.from(BigInt(decimal).toString(16).padStart(64, '0'), 'hex')
}

function addressWord(address: string): Buffer {
  return Buffer.from(address.slice(2).padStart(64, '0'), 'hex')
}
