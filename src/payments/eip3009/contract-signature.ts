import type { Rpc } from '../chain-reader.ts'
import type { PaymentTerms } from '../terms.ts'
import type { PaymentPayload } from '../x402/payload.ts'
import { authorizationTypes } from './types.ts'

/** Whether a contract wallet takes a signature; undefined where the chain cannot be asked. */
export type ContractSignatures = {
  /** Of a text (`personal_sign`). */
  readonly ofText: (address: string, text: string, signature: string) => Promise<boolean | undefined>
  /** Of an EIP-3009 authorization. */
  readonly ofAuthorization: (payment: PaymentPayload) => Promise<boolean | undefined>
}

export type ContractSignatureParts = {
  readonly terms: PaymentTerms
  /** Asks the chain, with a deadline of its own. */
  readonly rpc: Rpc
  /** Whether a failed question was answered by the contract itself, which reverted. */
  readonly isRevert: (error: unknown) => boolean
}

/** ERC-1271 and, for wallets that are not deployed yet, ERC-6492. Loads viem on the first question. */
export function createContractSignatures({ terms, rpc, isRevert }: ContractSignatureParts): ContractSignatures {
  /**
   * Asks the chain by the validator of ERC-6492. viem's own `verifyHash` answers no where a node does not answer at
   * all, which would tell an honest caller that the signature is wrong.
   */
  const accepts = async (address: string, hash: `0x${string}`, signature: string): Promise<boolean | undefined> => {
    const { encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode, getAddress, isHex } =
      await import('viem')
    if (!isHex(signature)) return false
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [getAddress(address.toLowerCase()), hash, signature],
    })
    try {
      const answer = await rpc('eth_call', [{ data }, 'latest'])
      return typeof answer === 'string' && /^0x0*1$/.test(answer)
    } catch (error) {
      // A wallet that refuses by reverting has answered; every other failure is the chain's.
      return isRevert(error) ? false : undefined
    }
  }

  return {
    ofText: async (address, text, signature) => {
      const { hashMessage } = await import('viem')
      return accepts(address, hashMessage(text), signature)
    },
    ofAuthorization: async ({ authorization, signature }) => {
      const { getAddress, hashTypedData, isHex } = await import('viem')
      const { from, to, value, validAfter, validBefore, nonce } = authorization
      if (!isHex(nonce)) return false
      const hash = hashTypedData({
        domain: {
          name: terms.assetName,
          version: terms.assetVersion,
          chainId: terms.chainId,
          verifyingContract: getAddress(terms.asset),
        },
        types: authorizationTypes,
        primaryType: 'TransferWithAuthorization',
        message: {
          from: getAddress(from.toLowerCase()),
          to: getAddress(to.toLowerCase()),
          value: BigInt(value),
          validAfter: BigInt(validAfter),
          validBefore: BigInt(validBefore),
          nonce,
        },
      })
      return accepts(from, hash, signature)
    },
  }
}
