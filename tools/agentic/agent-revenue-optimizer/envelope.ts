import { fitsSchema } from './json-schema.ts'
import { isObject, type JsonObject, objectAt, parseJson } from './json.ts'
import { isAccount, networkOf, usdOf } from './networks.ts'
import { quoted } from './text.ts'

/** One way to pay, as the envelope offers it. */
export type Option = {
  readonly index: number
  /** Why no client can pay it; empty where one can. Each quotes what was seen. */
  readonly faults: readonly string[]
  readonly network: string | null
  readonly asset: string | null
  readonly payTo: string | null
  readonly maxTimeoutSeconds: number | null
  readonly priceUsd: string | null
  /** The amount stands in the field of the other protocol version. */
  readonly hasForeignAmount: boolean
  readonly raw: JsonObject
}

/** What the catalogue extension of an envelope is good for. */
type Bazaar = 'valid' | 'absent' | 'no-input' | 'no-schema' | 'fails-own-schema'

export type Envelope = {
  readonly json: JsonObject
  /** 0 where it is missing or no whole number. */
  readonly version: number
  readonly acceptsCount: number
  readonly options: readonly Option[]
  readonly bazaar: Bazaar
  readonly hasResource: boolean
  readonly hasDescription: boolean
  readonly hasMimeType: boolean
}

/** The envelopes of one answer: in the header of version 2, in its older copy, in the body. */
export type Carried = {
  readonly header: JsonObject | undefined
  readonly hasHeader: boolean
  readonly body: JsonObject | undefined
}

const mostHeaderCharacters = 256 * 1024
const longestTimeoutSeconds = 86_400

/** Finds the envelopes that an answer carries. Without status 402 a body counts only if it looks like one. */
export function carriedBy(status: number, headers: Readonly<Record<string, string>>, text: string): Carried {
  const header = headers['payment-required']
  const body = parseJson(text)
  const isEnvelope = isObject(body) && (status === 402 || 'x402Version' in body || 'accepts' in body)
  return {
    header: decodeHeader(header) ?? decodeHeader(headers['x-payment-required']),
    hasHeader: header !== undefined,
    body: isEnvelope ? body : undefined,
  }
}

function decodeHeader(value: string | undefined): JsonObject | undefined {
  const text = value?.trim() ?? ''
  if (text === '' || text.length > mostHeaderCharacters || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
  const json = parseJson(Buffer.from(text, 'base64').toString('utf8'))
  return isObject(json) ? json : undefined
}

/** Reads an envelope the way a paying client must. */
export function readEnvelope(json: JsonObject): Envelope {
  const version = Number.isSafeInteger(json['x402Version']) ? Number(json['x402Version']) : 0
  const accepts = Array.isArray(json['accepts']) ? json['accepts'] : []
  const options = accepts.map((option: unknown, index) => readOption(option, index, version))
  // Version 1 says with every option what it is for; version 2 says it once.
  const described = version === 1 ? (options[0]?.raw ?? {}) : objectAt(json, 'resource')
  const url = version === 1 ? described['resource'] : described['url']
  return {
    json,
    version,
    acceptsCount: accepts.length,
    options,
    bazaar: version === 1 ? firstBazaarOf(options) : bazaarOf(json),
    hasResource: isText(url),
    hasDescription: isText(described['description']),
    hasMimeType: isText(described['mimeType']),
  }
}

function readOption(option: unknown, index: number, version: number): Option {
  const raw = isObject(option) ? option : {}
  const network = networkOf(raw['network'], version)
  const [own, foreign] = version === 1 ? ['maxAmountRequired', 'amount'] : ['amount', 'maxAmountRequired']
  const hasForeignAmount = raw[own] === undefined && raw[foreign] !== undefined
  const amount = hasForeignAmount ? raw[foreign] : raw[own]
  const isAmount = typeof amount === 'string' && /^[1-9]\d{0,77}$/.test(amount)
  const { scheme, asset, payTo, maxTimeoutSeconds, extra } = raw
  const at = `accepts[${index}]`
  const faults: (string | undefined)[] = [
    version === 1 || version === 2 ? undefined : 'x402Version is neither 1 nor 2',
    isText(scheme) ? undefined : `${at}.scheme is ${quoted(scheme)}`,
    network === undefined ? `${at}.network is ${quoted(raw['network'])}, no network of version ${version}` : undefined,
    network?.isTestnet === true ? `${at}.network is ${quoted(raw['network'])}, a test network` : undefined,
    isAmount ? undefined : `${at}.${own} is ${quoted(amount)}, not a positive whole number of atomic units in a string`,
    ...(network === undefined
      ? []
      : [
          isAccount(asset, network) ? undefined : `${at}.asset is ${quoted(asset)}, no token of the network`,
          isAccount(payTo, network) ? undefined : `${at}.payTo is ${quoted(payTo)}, no account to pay to`,
        ]),
    isTimeout(maxTimeoutSeconds) ? undefined : `${at}.maxTimeoutSeconds is ${quoted(maxTimeoutSeconds)}`,
    scheme === 'exact' && network?.kind === 'evm' && !hasSigningDomain(extra)
      ? `${at}.extra is ${quoted(extra)}, without the token's EIP-712 name and version`
      : undefined,
  ]
  return {
    index,
    faults: faults.filter((fault) => fault !== undefined),
    network: textOrNull(raw['network']),
    asset: textOrNull(asset),
    payTo: textOrNull(payTo),
    maxTimeoutSeconds: Number.isSafeInteger(maxTimeoutSeconds) ? Number(maxTimeoutSeconds) : null,
    priceUsd: isAmount ? priceOf(amount, asset, raw['network'], version) : null,
    hasForeignAmount,
    raw,
  }
}

/** A legible amount has a price even where the network is spelled in the other version's way. */
function priceOf(amount: string, asset: unknown, name: unknown, version: number): string | null {
  const network = networkOf(name, version) ?? networkOf(name, version === 1 ? 2 : 1)
  return network === undefined ? null : (usdOf(amount, asset, network) ?? null)
}

/** Permit2 and ERC-7710 name no domain; the default transfer cannot be signed without one. */
function hasSigningDomain(extra: unknown): boolean {
  const { assetTransferMethod, name, version } = isObject(extra) ? extra : {}
  return assetTransferMethod === 'permit2' || assetTransferMethod === 'erc7710' || (isText(name) && isText(version))
}

function isTimeout(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= longestTimeoutSeconds
}

function bazaarOf(json: JsonObject): Bazaar {
  const { bazaar } = objectAt(json, 'extensions')
  if (!isObject(bazaar)) return 'absent'
  const { info, schema } = bazaar
  if (!isObject(info) || !isObject(info['input'])) return 'no-input'
  if (!isObject(schema)) return 'no-schema'
  return fitsSchema(info, schema) ? 'valid' : 'fails-own-schema'
}

function firstBazaarOf(options: readonly Option[]): Bazaar {
  const inputs = options.map(({ raw }) => objectAt(raw['outputSchema'], 'input'))
  if (inputs.some((input) => input['discoverable'] === true)) return 'valid'
  return inputs.some((input) => Object.keys(input).length > 0) ? 'no-schema' : 'absent'
}

/** The option a careful client would take: payable, cheapest in dollars, first among equals. */
export function preferredOf({ options }: Envelope): Option | undefined {
  return options
    .filter(({ faults }) => faults.length === 0)
    .sort((one, other) => (atomicOf(one) < atomicOf(other) ? -1 : atomicOf(one) > atomicOf(other) ? 1 : 0))[0]
}

/** Prices are compared as whole numbers; one that is not known in dollars comes last. */
function atomicOf({ priceUsd }: Option): bigint {
  if (priceUsd === null) return 10n ** 100n
  const [whole = '0', fraction = ''] = priceUsd.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

/** The method under which the envelope itself lists the endpoint, in capitals. */
export function listedMethodOf(json: JsonObject | undefined): string | undefined {
  const { method } = objectAt(objectAt(objectAt(objectAt(json, 'extensions'), 'bazaar'), 'info'), 'input')
  return typeof method === 'string' ? method.toUpperCase() : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function textOrNull(value: unknown): string | null {
  return isText(value) ? value : null
}
