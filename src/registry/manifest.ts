import { toAtomic } from '../payments/terms.ts'
import { isPriced, opensWithPass } from '../tool/access.ts'
import type { ToolList, SiteTool } from '../tool/tools.ts'
import { endpointOf, manifestUrlOf } from '../tool/urls.ts'
import { topicOf, zeroAddress } from '../tool/words.ts'
import type { DescribeConfig } from '../describe/config.ts'
import { namespaceOf } from '../describe/documents.ts'
import { inputSchemaOf, outputSchemaOf } from '../describe/schemas.ts'

/** ERC-8257's name of the first version of its manifests. */
const manifestType = 'https://ercs.ethereum.org/ERCS/erc-8257#tool-manifest-v1'

/** The standard's name for "holds a token of this ERC-721 collection": the selector of `erc721Holding()`. */
const erc721Holding = '0xbdf8c428'

/** The predicate that lets holders of an ERC-721 token in; its address is the same on every chain of the standard. */
export const ownerPredicate = '0xc8721c9a776958ffffeb602da1b708bf1d318379'

/** What the registry is to say of one tool, and the document it points at. */
export type AiToolDocument = {
  readonly slug: string
  /** The registry's metadata URI. */
  readonly url: string
  /** The manifest exactly as it is served: canonical JSON (RFC 8785). */
  readonly text: string
  /** keccak256 of the served bytes, as `0x…`. */
  readonly hash: string
  /** Who decides about access on chain: the zero address where everybody is let in. */
  readonly predicate: string
  /** Collections that the predicate must know. */
  readonly collections: readonly string[]
}

/**
 * The ERC-8257 manifest of one tool. On a plain http origin the endpoint is the true one, and the manifest is then not
 * conformant: the standard requires https, and an invented address would be of no use.
 */
export function aiToolManifestOf(tool: SiteTool, config: DescribeConfig) {
  const { access } = tool
  const chain = config.network
  return composed({
    type: manifestType,
    name: tool.name,
    description: tool.description,
    // URL writes scheme and host in lower case, without a default port and with the host's ASCII name.
    endpoint: new URL(endpointOf(tool, config.baseUrl)).href,
    inputs: inputSchemaOf(tool),
    outputs: outputSchemaOf(tool),
    version: tool.version,
    tags: tool.tags,
    ...(isPriced(access)
      ? {
          pricing: [
            {
              amount: toAtomic(access.usd).toString(),
              asset: `${chain}/erc20:${config.asset.toLowerCase()}`,
              recipient: `${chain}:${config.payTo.toLowerCase()}`,
              protocol: 'x402',
            },
          ],
        }
      : {}),
    ...(opensWithPass(access) && config.toolPass !== undefined
      ? {
          access: {
            logic: 'OR',
            requirements: [
              { kind: erc721Holding, data: topicOf(config.toolPass), label: 'Holds the access pass of this site' },
            ],
          },
        }
      : {}),
    creatorAddress: config.creator.toLowerCase(),
    ...(config.sandbox ? { extensions: { [`${namespaceOf(config)}.sandbox`]: true } } : {}),
  })
}

/** The manifests of the given tools, ready to be served and registered. */
export async function aiToolDocumentsOf(
  tools: ToolList['site'],
  config: DescribeConfig,
): Promise<readonly AiToolDocument[]> {
  const { canonicalize } = await import('json-canonicalize')
  const hashOf = await createTextHash()
  return tools.map((tool) => {
    const text = canonicalize(aiToolManifestOf(tool, config))
    const gated = opensWithPass(tool.access) && config.toolPass !== undefined
    return {
      slug: tool.slug,
      url: manifestUrlOf(tool, config.baseUrl),
      text,
      hash: hashOf(text),
      predicate: gated ? ownerPredicate : zeroAddress,
      collections: gated && config.toolPass !== undefined ? [config.toolPass.toLowerCase()] : [],
    }
  })
}

/** Hashes a manifest as ERC-8257 says: keccak256 of its canonical JSON in UTF-8. The document is taken as it is. */
export async function createManifestHash(): Promise<(manifest: unknown) => string> {
  const { canonicalize } = await import('json-canonicalize')
  const hashOf = await createTextHash()
  return (manifest) => hashOf(canonicalize(manifest))
}

async function createTextHash(): Promise<(text: string) => string> {
  const { createKeccak } = await import('hash-wasm')
  const hasher = await createKeccak(256)
  return (text) => `0x${hasher.init().update(text).digest('hex')}`
}

/** The same value with every text, keys included, in Unicode's composed form (NFC) and without a byte order mark. */
function composed<T>(value: T): T
function composed(value: unknown): unknown {
  if (typeof value === 'string') return composedText(value)
  if (Array.isArray(value)) return value.map((item: unknown) => composed(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [composedText(key), composed(member)]))
}

function composedText(text: string): string {
  return text.normalize('NFC').replaceAll('\uFEFF', '')
}
