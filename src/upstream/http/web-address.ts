import { bare, isAddressLiteral, isPublicAddress } from './address-rule.ts'
import { RefusedAddressError } from './web-error.ts'

const ports: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443'])

type Options = {
  /** Address that the other one is relative to. */
  readonly from?: string | undefined
  /** An origin that may be anywhere, on this machine too. */
  readonly namedOrigin?: string | undefined
}

/**
 * An address of the open web, as far as it can be judged without asking anybody: its names are only resolved, and
 * looked at again, when it is fetched. @throws RefusedAddressError
 */
export function checkWebAddress(address: string, { from, namedOrigin }: Options = {}): URL {
  const url = URL.parse(address, from)
  if (url === null) throw new RefusedAddressError('The address is not a URL.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new RefusedAddressError('Only http and https addresses are fetched.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new RefusedAddressError('An address with a user name or a password is not fetched.')
  }
  url.hash = ''
  if (url.origin === namedOrigin) return url
  if (!ports.has(url.port)) throw new RefusedAddressError('Only the ports 80, 443, 8080 and 8443 are fetched.')
  const name = nameOf(url)
  if (isAddressLiteral(name) && !isPublicAddress(bare(name))) throw notPublic()
  if (name === 'localhost' || name.endsWith('.localhost')) throw notPublic()
  return url
}

/** The name a host is known by: lower case, no final dot. */
export function nameOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.+$/, '')
}

export function notPublic(): RefusedAddressError {
  return new RefusedAddressError('The host is not on the public internet.')
}
