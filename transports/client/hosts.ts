import { isLoopbackHost } from '../../src/platform/loopback.ts'
import { NotPaidError } from './errors.ts'
import { settingNames } from './settings.ts'

/** Characters that look alike in an address, each as the one that stands for all of them. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[1il|]/g, 'l'],
  [/0/g, 'o'],
  [/5/g, 's'],
  [/-/g, ''],
]

function skeletonOf(host: string): string {
  return alike.reduce((text, [pattern, letter]) => text.replace(pattern, letter), host)
}

/**
 * Whether money may go to whoever answers at an address. @throws NotPaidError
 * @param known hosts that were paid before.
 */
export function checkHost(url: URL, hosts: readonly string[] | undefined, known: readonly string[]): void {
  const { hostname, protocol } = url
  if (url.username !== '' || url.password !== '') {
    throw new NotPaidError('host', 'the address carries a name or a password before its host')
  }
  const listed = hosts !== undefined && isNamed(url, hosts)
  if (hosts !== undefined && !listed) {
    throw new NotPaidError('host', `${hostname} is not among the hosts that may be paid`, settingNames.hosts)
  }
  // Without TLS anybody on the way could change the terms, or use the answer.
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost(hostname))) {
    throw new NotPaidError('host', `${hostname} is reached over ${protocol}//, and only https is paid`)
  }
  if (listed) return
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) {
    throw new NotPaidError('host', `${hostname} has letters that may look like others`, settingNames.hosts)
  }
  const twin = known.find((one) => one !== hostname && skeletonOf(one) === skeletonOf(hostname))
  if (twin !== undefined) {
    throw new NotPaidError('host', `${hostname} looks like ${twin}, which was paid before`, settingNames.hosts)
  }
}

/** Whether a list names the host of an address, with its port or without. */
export function isNamed({ hostname, host }: URL, hosts: readonly string[]): boolean {
  return hosts.includes(hostname) || hosts.includes(host)
}

/** Whether the terms are those of the address that was asked. @throws NotPaidError */
export function checkResource(asked: URL, resourceUrl: string | undefined): void {
  if (resourceUrl === undefined || !/^https?:\/\//i.test(resourceUrl)) return
  const named = URL.canParse(resourceUrl) ? new URL(resourceUrl) : undefined
  if (named?.hostname === asked.hostname) return
  if (named !== undefined && isLoopbackHost(named.hostname) && isLoopbackHost(asked.hostname)) return
  throw new NotPaidError('host', `the terms are for another host than ${asked.hostname}, which was asked`)
}
