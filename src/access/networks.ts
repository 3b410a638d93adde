/** A network counts as one caller too, with room for so many addresses of it. */
const networks = [
  { bits: 64, times: 1 },
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
] as const

export type CountedAs = { readonly key: string; readonly times: number }

/** The keys an address counts under: IPv4 one by one, IPv6 by the networks that one customer may own. */
export function keysOf(address: string): readonly CountedAs[] {
  const own = callerKey(address)
  const prefix = own.endsWith('::/64') ? own.slice(0, -'::/64'.length).split(':') : undefined
  if (prefix === undefined) return [{ key: own, times: 1 }]
  const numbers = prefix.map((word) => Number.parseInt(word, 16))
  return networks.map(({ bits, times }) => ({
    key: `${numbers
      .map((word, index) => word & maskOf(bits - index * 16))
      .map((word) => word.toString(16))
      .join(':')}/${bits}`,
    times,
  }))
}

/** For how many addresses there is room under a key. */
export function timesOf(key: string): number {
  return networks.find(({ bits }) => key.endsWith(`/${bits}`))?.times ?? 1
}

/** The mask of one 16-bit word of which `bits` belong to the network. */
function maskOf(bits: number): number {
  if (bits >= 16) return 0xffff
  return bits <= 0 ? 0 : 0xffff & ~(0xffff >> bits)
}

/** IPv4 addresses count one by one, in either form, IPv6 by their /64: one customer owns at least that. */
export function callerKey(address: string): string {
  const ip = withoutPort(address)
  const mapped = /:(\d+\.\d+\.\d+\.\d+)$/.exec(ip)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!ip.includes(':')) return ip
  const [head = '', tail = ''] = (ip.split('%')[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const missing = ip.includes('::') ? Math.max(0, 8 - before.length - after.length) : 0
  const words = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  const numbers = words.map((word) => Number.parseInt(word, 16))
  const [high = 0, low = 0] = numbers.slice(6)
  if (numbers.slice(0, 5).every((number) => number === 0) && numbers[5] === 0xffff) {
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  return `${numbers
    .slice(0, 4)
    .map((number) => number.toString(16))
    .join(':')}::/64`
}

/** Proxies that forward the port as well write `1.2.3.4:5678` and `[2001:db8::1]:5678`. */
function withoutPort(address: string): string {
  const [, six, four] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? []
  return six ?? four ?? address
}
