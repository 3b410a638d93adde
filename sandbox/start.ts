import type { Address } from 'viem'

import { startChain } from './chain.ts'
import { createFacilitator, serveFacilitator, type FacilitatorEvent } from './facilitator.ts'
import { createMagic, magicWallets, type MagicWallets } from './magic.ts'
import { servePublicNodes } from './public-nodes.ts'
import { replays, sites } from './replay/replays.ts'
import { serveReplays } from './replay/server.ts'
import { demoWallets, operator, walletOf, type DemoWallets } from './wallets.ts'

export type SandboxOptions = {
  /** 8453, Base, unless given; 31337 for suites that refuse to pay on a real network's id. */
  readonly chainId?: number
  /** Free ones unless given. */
  readonly ports?: { readonly chain?: number; readonly facilitator?: number; readonly replay?: number }
  /** Path of the anvil program; found among the installed packages unless given. */
  readonly anvilBinary?: string
  /** What the replayed services take for the present; the real time unless given. */
  readonly now?: () => Date
  /** Whether the server reads the chain through nodes with the limits of the public ones. */
  readonly publicNodes?: boolean
  readonly onEvent?: (event: FacilitatorEvent) => void
}

export type Sandbox = {
  /** What the server must be configured with. */
  readonly env: Readonly<Record<string, string>>
  readonly chain: {
    readonly rpcUrl: string
    readonly chainId: number
    readonly usdc: Address
    readonly toolPass: Address
    readonly registry: Address
    readonly multicall3: Address
  }
  readonly facilitatorUrl: string
  readonly payTo: Address
  readonly wallets: DemoWallets
  /** Wallets whose payments always end in one way, and in which. */
  readonly magicWallets: MagicWallets
  readonly stop: () => Promise<void>
}

/**
 * Starts everything that a server needs of the outside world, on loopback: a chain, a facilitator and replayed
 * services.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const stops: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const stopOne of stops.splice(0).toReversed()) await stopOne()
  }
  try {
    const chain = await startChain({
      ...(options.chainId === undefined ? {} : { chainId: options.chainId }),
      ...(options.ports?.chain === undefined ? {} : { port: options.ports.chain }),
      ...(options.anvilBinary === undefined ? {} : { anvilBinary: options.anvilBinary }),
    })
    stops.push(chain.stop)

    const nodes = options.publicNodes === true ? await servePublicNodes(chain.rpcUrl) : []
    stops.push(...nodes.map(({ stop }) => stop))

    const { magic, stop: stopMagic } = createMagic(chain.rpcUrl)
    const facilitator = await serveFacilitator(
      createFacilitator({
        rpcUrl: chain.rpcUrl,
        chainId: chain.chainId,
        privateKey: walletOf('facilitator').privateKey,
        ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
      }),
      options.ports?.facilitator,
      magic,
    )
    stops.push(facilitator.stop, async () => stopMagic())

    const now = options.now ?? ((): Date => new Date())
    const replay = await serveReplays({ replays, sites, now, port: options.ports?.replay ?? 0 })
    stops.push(replay.stop)

    const payTo = walletOf('payTo').address
    const { usdc, toolPass, registry, multicall3, nativeToken, stakedNative, nativePair } = chain.contracts
    const { MAINNET: mainnetUrl = '', POSTS: postsUrl = '', ...services } = replay.urls
    return {
      env: {
        TOLLGATE_SANDBOX: '1',
        TOLLGATE_PAY_TO: payTo,
        TOLLGATE_FACILITATOR_URL: facilitator.url,
        TOLLGATE_NETWORK: `eip155:${chain.chainId}`,
        TOLLGATE_ASSET: usdc,
        TOLLGATE_ASSET_NAME: 'USD Coin',
        TOLLGATE_ASSET_VERSION: '2',
        TOLLGATE_BASE_RPC_URLS: nodes.length === 0 ? chain.rpcUrl : nodes.map(({ url }) => url).join(','),
        TOLLGATE_MAINNET_RPC_URLS: mainnetUrl,
        TOLLGATE_TOOL_PASS: toolPass,
        TOLLGATE_REGISTRY: registry,
        TOLLGATE_CERTIFICATES: chain.contracts.certificates,
        TOLLGATE_NATIVE_TOKEN: JSON.stringify({
          symbol: 'TOLL',
          contract: nativeToken,
          vault: stakedNative,
          pools: [nativePair],
        }),
        TOLLGATE_POSTS_FEED: postsUrl,
        TOLLGATE_REGISTRY_CREATOR: operator,
        TOLLGATE_UPSTREAM_WEB_HOSTS: Object.entries(replay.hosts)
          .map((pair) => pair.join('='))
          .join(','),
        ...Object.fromEntries(
          Object.entries(services).map(([name, url]) => [`TOLLGATE_UPSTREAM_${name}_URL`, url] as const),
        ),
      },
      chain: { rpcUrl: chain.rpcUrl, chainId: chain.chainId, usdc, toolPass, registry, multicall3 },
      facilitatorUrl: facilitator.url,
      payTo,
      wallets: demoWallets(),
      magicWallets: magicWallets(),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
