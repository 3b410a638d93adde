import { readAddress } from '../tool/address.ts'
import type { Tool } from '../tool/tool.ts'

/** The addresses in an input, each with the pointer to its field. */
export function addressesIn(
  { addresses }: Tool,
  input: unknown,
): readonly (readonly [pointer: string, address: string])[] {
  if (addresses === undefined || typeof input !== 'object' || input === null) return []
  return addresses.flatMap((field) => {
    const value: unknown = Reflect.get(input, field)
    return typeof value === 'string' ? [[`/${field}`, value] as const] : []
  })
}

/** @throws InvalidInputError naming the field whose checksum is wrong. */
export async function checkAddresses(tool: Tool, input: unknown): Promise<void> {
  for (const [pointer, address] of addressesIn(tool, input)) await readAddress(pointer, address)
}
