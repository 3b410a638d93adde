import type { DescribeConfig } from '../src/describe/config.ts'
import { isPriced, opensWithPass, usdOf } from '../src/tool/access.ts'
import type { Tool } from '../src/tool/tool.ts'
import { endpointPathOf } from '../src/tool/urls.ts'

/** A wallet of the sandbox that a page may sign with; its money is worthless. */
export type PlayWallet = {
  readonly name: string
  readonly address: string
  readonly note: string
  /** Whether its payments always end in one way, and not well. */
  readonly isMagic: boolean
}

/** What the server writes into a page for the code that runs there. */
export type PageData = Pick<Tool, 'slug' | 'name' | 'family' | 'access'> & {
  /** Path that the call is sent to, on the server that the page came from. */
  readonly path: string
  readonly usd: string
  readonly isPriced: boolean
  readonly isTiered: boolean
  readonly opensWithPass: boolean
  /** The server's address as the world sees it, which sign-ins are for. */
  readonly origin: string
  readonly chainId: number
  readonly network: string
  readonly networkName: string
  readonly npmName: string
  readonly version: string
  readonly playWallets: readonly PlayWallet[]
}

export function pageDataOf(tool: Tool, config: DescribeConfig, playWallets: readonly PlayWallet[]): PageData {
  const { slug, name, family, access } = tool
  const { baseUrl, network, npmName, version } = config
  return {
    slug,
    name,
    family,
    access,
    path: endpointPathOf(tool),
    usd: usdOf(access),
    isPriced: isPriced(access),
    isTiered: access.mode === 'tiered',
    opensWithPass: opensWithPass(access) && config.toolPass !== undefined,
    origin: baseUrl,
    chainId: chainIdOf(config),
    network,
    networkName: chainNameOf(config),
    npmName,
    version,
    playWallets,
  }
}

/** The number behind `eip155:`. */
export function chainIdOf({ network }: Pick<DescribeConfig, 'network'>): number {
  return Number(network.slice(network.indexOf(':') + 1))
}

/** The chain's name as people write it. */
export function chainNameOf({ networkName }: Pick<DescribeConfig, 'networkName'>): string {
  return `${networkName.slice(0, 1).toUpperCase()}${networkName.slice(1)}`
}
