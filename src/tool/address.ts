import { InvalidInputError } from '../errors.ts'

/**
 * An address from a caller, in lower case. Any case is taken, but mixed case is a checksum (EIP-55) and must be right:
 * a wrong one is a typing error in an address that may belong to nobody.
 *
 * @throws InvalidInputError naming the field.
 */
export async function readAddress(path: string, text: string): Promise<string> {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw new InvalidInputError(path, 'An address is 0x and 40 hexadecimal digits.')
  }
  const lowerCase = `0x${text.slice(2).toLowerCase()}` as const
  if (hasNoChecksum(text)) return lowerCase
  const { getAddress } = await import('viem')
  if (getAddress(lowerCase) !== text) {
    throw new InvalidInputError(
      path,
      'The checksum of the address is wrong: a letter has the wrong case, or a digit is mistyped. Copy the address again, or send it in lower case if you are sure of it.',
    )
  }
  return lowerCase
}

/** Whether an address is written in one case, and so says nothing about itself. */
export function hasNoChecksum(address: string): boolean {
  const digits = address.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase()
}
