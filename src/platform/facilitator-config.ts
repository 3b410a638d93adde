import { z } from 'zod'

import { isLoopbackHost } from './loopback.ts'

/** How a facilitator wants to be shown who asks. */
const keySchemes = ['bearer', 'payai', 'cdp'] as const

export type KeyScheme = (typeof keySchemes)[number]

export type FacilitatorConfig =
  | {
      readonly kind: 'hosted'
      readonly url: string
      readonly key?: { readonly scheme: KeyScheme; readonly file: string }
    }
  /** This server settles by itself. */
  | { readonly kind: 'self' }

/** One entry of `TOLLGATE_FACILITATOR_KEYS`: `host=scheme:file`. */
export const facilitatorKey = z
  .string()
  .regex(/^[a-z0-9.:[\]-]+=(bearer|payai|cdp):.+$/i, 'must be host=bearer:file, host=payai:file or host=cdp:file')
  .transform((text) => {
    const [, host = '', scheme = '', file = ''] = /^([^=]+)=([^:]+):(.+)$/.exec(text) ?? []
    return { host: host.toLowerCase(), scheme: z.enum(keySchemes).parse(scheme.toLowerCase()), file }
  })

export type FacilitatorKey = z.output<typeof facilitatorKey>

type Given = {
  readonly urls: readonly string[] | undefined
  readonly url: string
  readonly keys: readonly FacilitatorKey[]
  readonly gasKeyFile: string | undefined
}

/** Joins the addresses with their keys. @returns also what is wrong about them, each naming its variable. */
export function facilitatorsOf({ urls, url, keys, gasKeyFile }: Given): {
  readonly facilitators: readonly FacilitatorConfig[]
  readonly problems: readonly string[]
} {
  const list = (urls ?? [url]).map((one) => (one === 'self' ? one : one.replace(/\/+$/, '')))
  const problems: string[] = []
  if (new Set(list).size !== list.length) problems.push('TOLLGATE_FACILITATOR_URLS: names one of them twice')
  if (list.includes('self') && gasKeyFile === undefined) {
    problems.push('TOLLGATE_GAS_KEY_FILE: is needed where TOLLGATE_FACILITATOR_URLS names self')
  }
  const hosts = new Map(list.filter((one) => one !== 'self').map((one) => [new URL(one).host, one] as const))
  for (const key of keys) {
    const variable = 'TOLLGATE_FACILITATOR_KEYS'
    const address = hosts.get(key.host)
    if (address === undefined) {
      problems.push(`${variable}: ${key.host} is no host of TOLLGATE_FACILITATOR_URLS`)
      continue
    }
    const { protocol, hostname, username } = new URL(address)
    if (username !== '') problems.push(`${variable}: ${key.host} has a user in its address already`)
    if (protocol === 'http:' && !isLoopbackHost(hostname)) {
      problems.push(`${variable}: ${key.host} is asked over plain http, where everybody on the way reads the key`)
    }
  }
  const facilitators = list.map((one): FacilitatorConfig => {
    if (one === 'self') return { kind: 'self' }
    const key = keys.find(({ host }) => host === new URL(one).host)
    return {
      kind: 'hosted',
      url: one,
      ...(key === undefined ? {} : { key: { scheme: key.scheme, file: key.file } }),
    }
  })
  return { facilitators, problems }
}
