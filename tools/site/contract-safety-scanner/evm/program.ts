/** Code made ready to run. */
export type Program = {
  readonly hex: string
  readonly bytes: Uint8Array
  /** Per byte: 1 where a jump may go to. */
  readonly jumps: Uint8Array
  /** Values of the pushes, by their place. */
  readonly pushes: ReadonlyMap<number, bigint>
  /** Places of the instructions that change something or call somebody, by their place. */
  readonly sinks: ReadonlyMap<number, number>
  /** Four-byte constants that the code may compare its selector with. */
  readonly selectors: readonly string[]
  /** Twenty-byte constants: addresses that are written into the code. */
  readonly addresses: readonly string[]
  /** Short and hash-like constants that are pushed right before a storage read. */
  readonly slots: readonly bigint[]
}

export const op = {
  mul: 0x02,
  div: 0x04,
  sload: 0x54,
  sstore: 0x55,
  jump: 0x56,
  jumpi: 0x57,
  jumpdest: 0x5b,
  push0: 0x5f,
  push1: 0x60,
  push32: 0x7f,
  create: 0xf0,
  call: 0xf1,
  callcode: 0xf2,
  delegatecall: 0xf4,
  create2: 0xf5,
  staticcall: 0xfa,
  selfdestruct: 0xff,
} as const

const sinkOps: ReadonlySet<number> = new Set([
  op.sstore,
  op.create,
  op.call,
  op.callcode,
  op.delegatecall,
  op.create2,
  op.selfdestruct,
])
const ends: ReadonlySet<number> = new Set([0x00, op.jump, 0xf3, 0xfd, 0xfe, op.selfdestruct])
const shl = 0x1b
const programs = new Map<string, Program>()
const maxPrograms = 64

/** Reads code once; the same code is often met again. */
export function programOf(hex: string): Program {
  const known = programs.get(hex)
  if (known !== undefined) return known
  const program = read(hex)
  if (programs.size >= maxPrograms) programs.clear()
  programs.set(hex, program)
  return program
}

function read(hex: string): Program {
  const bytes = Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))
  const end = bytes.length - metadataLengthOf(bytes)
  const jumps = new Uint8Array(bytes.length)
  const pushes = new Map<number, bigint>()
  const sinks = new Map<number, number>()
  const selectors = new Set<string>()
  const addresses = new Set<string>()
  const slots = new Set<bigint>()
  let last: bigint | undefined
  let before: bigint | undefined
  let runs = true
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0
    if (code === op.jumpdest) {
      jumps[at] = 1
      runs = true
    }
    if (code > op.push0 && code <= op.push32) {
      const length = code - op.push0
      // Beyond the end of the code there are zeros.
      const digits = hex.slice(2 + (at + 1) * 2, 2 + (at + 1 + length) * 2).padEnd(length * 2, '0')
      const value = BigInt(`0x${digits}`)
      pushes.set(at, value)
      if (at < end) {
        if (length <= 4 && length >= 3) selectors.add(digits.padStart(8, '0'))
        // Some compilers clear the rest of a selector by comparing it in the high bytes.
        if (length === 32 && /^[^0].{7}0{56}$/.test(digits)) selectors.add(digits.slice(0, 8))
        if (length >= 17 && length <= 20) addresses.add(`0x${digits.padStart(40, '0')}`)
        // An address may begin with zeros of its own; a number is shorter.
        if (length === 32 && value >> 160n === 0n && value >> 128n !== 0n) addresses.add(`0x${digits.slice(24)}`)
        if (length === 32 && value >> 160n !== 0n) slots.add(value)
      }
      before = last
      last = value
      at += length
      continue
    }
    if (code === op.push0) last = 0n
    else {
      if (code === op.sload && last !== undefined && last < 1024n) slots.add(last)
      // Compilers write a selector in the high bytes as a short constant that is shifted there.
      if (code === shl && before !== undefined && last !== undefined && last < 256n) {
        const digits = BigInt.asUintN(256, before << last)
          .toString(16)
          .padStart(64, '0')
        if (/^.{8}0{56}$/.test(digits) && !/^0{8}/.test(digits)) selectors.add(digits.slice(0, 8))
      }
      last = undefined
      before = undefined
    }
    if (runs && at < end && sinkOps.has(code)) sinks.set(at, code)
    if (ends.has(code)) runs = false
  }
  return {
    hex,
    bytes,
    jumps,
    pushes,
    sinks,
    selectors: [...selectors],
    addresses: [...addresses].filter((one) => !/^0x(f{38}|0{10})/.test(one)),
    slots: [...slots],
  }
}

/** Length of the map that compilers append, its two length bytes included; 0 where there is none. */
function metadataLengthOf(bytes: Uint8Array): number {
  const length = (bytes.at(-2) ?? 0) * 256 + (bytes.at(-1) ?? 0)
  if (length < 4 || length + 2 > bytes.length || length > 200) return 0
  const map = Buffer.from(bytes.subarray(bytes.length - length - 2, -2)).toString('latin1')
  return /^[\xa1-\xa4]/.test(map) && /(ipfs|solc|bzzr0|bzzr1|experimental)/.test(map) ? length + 2 : 0
}
