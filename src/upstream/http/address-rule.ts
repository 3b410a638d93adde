import ipaddr from 'ipaddr.js'

/** Unicast by every registry, yet it is the metadata and health service inside Azure. */
const azureWireServer = '168.63.129.16'
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address is one that the public internet routes. It allows what is known to be public and refuses the
 * rest: private, loopback, link-local, carrier-grade NAT, multicast, reserved, and IPv6 forms that carry an IPv4
 * address.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    return ipaddr.IPv4.parse(address).range() === 'unicast' && address !== azureWireServer
  }
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return false
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.match(globalUnicast) && parsed.range() === 'unicast' && !isIsatap(parsed)
}

/** Whether a URL's host name is an IP address rather than a name. */
export function isAddressLiteral(hostname: string): boolean {
  return ipaddr.isValid(bare(hostname))
}

/** An IPv6 host of a URL without its brackets. */
export function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** RFC 5214: the interface identifier `[02]00:5efe` is followed by an IPv4 address, which may be private. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  const [fifth, sixth] = [parts[4], parts[5]]
  return (fifth === 0 || fifth === 0x0200) && sixth === 0x5efe
}
