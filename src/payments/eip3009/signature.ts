import type { Authorization } from '../x402/payload.ts'
import type { PaymentTerms } from '../terms.ts'
import { wordOf } from '../../tool/words.ts'
import { authorizationType, domainType } from './types.ts'

/**
 * What a signature says by itself: `valid`, `invalid` for everybody, `other-key` where an ordinary account did not sign
 * it but a contract at the payer's address still may accept it, `contract` where only a contract can tell (ERC-1271,
 * ERC-6492).
 */
export type SignatureVerdict = 'valid' | 'invalid' | 'other-key' | 'contract'

export type SignatureCheck = (authorization: Authorization, signature: string) => Promise<SignatureVerdict>

type Keccak = (bytes: Uint8Array) => Uint8Array
type Recover = (digest: Uint8Array, rs: Uint8Array, recovery: 0 | 1) => Uint8Array | Promise<Uint8Array>

/** Half the order of secp256k1: USDC refuses signatures with a larger s, though every library recovers them. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * Checks EIP-3009 signatures of ordinary accounts here, so that a forged payment costs no network call.
 * Native secp256k1 where its binary is there, else the pure implementation that viem uses.
 */
export async function createSignatureCheck(terms: PaymentTerms): Promise<SignatureCheck> {
  const keccak = await loadKeccak()
  const recover = (await loadNativeRecover()) ?? pureRecover
  const text = (value: string): Uint8Array => keccak(Buffer.from(value, 'utf8'))
  const separator = keccak(
    Buffer.concat([
      text(domainType),
      text(terms.assetName),
      text(terms.assetVersion),
      word(BigInt(terms.chainId)),
      word(terms.asset),
    ]),
  )
  const typeHash = text(authorizationType)

  return async (authorization, signature) => {
    // Anything but 65 bytes is the business of the payer's contract.
    if (signature.length !== 132) return 'contract'
    const bytes = Buffer.from(signature.slice(2), 'hex')
    const recovery = recoveryOf(bytes)
    if (recovery === undefined) return 'contract'
    if (BigInt(`0x${signature.slice(66, 130)}`) > halfOrder) return 'invalid'
    const struct = keccak(
      Buffer.concat([
        typeHash,
        word(authorization.from),
        word(authorization.to),
        word(BigInt(authorization.value)),
        word(BigInt(authorization.validAfter)),
        word(BigInt(authorization.validBefore)),
        Buffer.from(authorization.nonce.slice(2), 'hex'),
      ]),
    )
    const digest = keccak(Buffer.concat([Buffer.from([0x19, 0x01]), separator, struct]))
    const signer = await signerOf(recover, keccak, digest, bytes.subarray(0, 64), recovery)
    return signer === authorization.from.toLowerCase() ? 'valid' : 'other-key'
  }
}

/** Who signed a text with `personal_sign` (EIP-191), in lower case; undefined where no key made it. */
export async function createMessageSigner(): Promise<(text: string, signature: string) => Promise<string | undefined>> {
  const keccak = await loadKeccak()
  const recover = (await loadNativeRecover()) ?? pureRecover
  return async (text, signature) => {
    if (signature.length !== 132) return undefined
    const bytes = Buffer.from(signature.slice(2), 'hex')
    const recovery = recoveryOf(bytes)
    if (recovery === undefined || BigInt(`0x${signature.slice(66, 130)}`) > halfOrder) return undefined
    const message = Buffer.from(text, 'utf8')
    const digest = keccak(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${message.length}`), message]))
    return signerOf(recover, keccak, digest, bytes.subarray(0, 64), recovery)
  }
}

async function signerOf(
  recover: Recover,
  keccak: Keccak,
  digest: Uint8Array,
  rs: Uint8Array,
  recovery: 0 | 1,
): Promise<string | undefined> {
  try {
    const key = await recover(digest, rs, recovery)
    return `0x${Buffer.from(keccak(key.subarray(1)).subarray(12)).toString('hex')}`
  } catch {
    // These numbers are no point on the curve, so no key made this signature.
    return undefined
  }
}

/** The last of the 65 bytes, in either of its two spellings. */
function recoveryOf(signature: Uint8Array): 0 | 1 | undefined {
  const last = signature[64]
  if (last === 0 || last === 27) return 0
  return last === 1 || last === 28 ? 1 : undefined
}

function word(value: bigint | string): Buffer {
  return Buffer.from(wordOf(value), 'hex')
}

async function loadKeccak(): Promise<Keccak> {
  const { createKeccak } = await import('hash-wasm')
  const hasher = await createKeccak(256)
  return (bytes) => hasher.init().update(bytes).digest('binary')
}

/** Bitcoin Core's implementation, where its binary is installed. */
export async function loadNativeRecover(): Promise<Recover | undefined> {
  try {
    const { default: secp256k1 } = await import('secp256k1')
    return (digest, rs, recovery) => secp256k1.ecdsaRecover(rs, recovery, digest, false)
  } catch {
    // The optional package has no binary for this machine.
    return undefined
  }
}

/** Some fifty times slower than the native code, and the same answers. */
export const pureRecover: Recover = async (digest, rs, recovery) => {
  const { recoverPublicKey } = await import('viem')
  const signature = Buffer.concat([rs, Buffer.from([27 + recovery])])
  const key = await recoverPublicKey({ hash: digest, signature })
  return Buffer.from(key.slice(2), 'hex')
}
