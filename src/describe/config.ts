/** What the documents say about this server beyond its tools. */
export type DescribeConfig = {
  /** Root of this server as the world sees it, without a slash at the end. */
  readonly baseUrl: string
  readonly facilitatorUrl: string
  /** CAIP-2 name of the chain, e.g. `eip155:8453`. */
  readonly network: string
  /** Short name of the same chain, as older clients know it, e.g. `base`. */
  readonly networkName: string
  readonly asset: string
  /** EIP-712 name and version of the asset, for clients that sign by the list of tools alone. */
  readonly assetDomain?: { readonly name: string; readonly version: string }
  readonly payTo: string
  /** Wallet that owns the registry's entries of our tools; stands in their ERC-8257 manifests. */
  readonly creator: string
  /** Contract of the access-pass NFT (ERC-721), where there is one. */
  readonly toolPass?: string
  /** ERC-8257 registry, where one is configured. */
  readonly registry?: string
  readonly version: string
  readonly serverName: string
  readonly ownerName: string
  readonly supportUrl: string
  /** Reached by the directory that asks remote servers for a maintainer. */
  readonly maintainerEmail?: string
  readonly sandbox: boolean
  readonly npmName: string
  /** Name in the MCP registry, `<namespace>/<server>`. */
  readonly mcpRegistryName: string
  /** Qualified name in the Smithery directory, `<namespace>/<server>`. */
  readonly smitheryName: string
  /** What the payment index asks to find at our verification address. */
  readonly index402Hash?: string
  /** Name of the key that answers are signed with; absent where they are not signed. */
  readonly signingKeyId?: string
  /** Slugs of the tools whose payment request carries what the bazaar lists; there is not always room for it. */
  readonly bazaarTools?: Pick<ReadonlySet<string>, 'has'>
  /** Address of the source code. */
  readonly repository: string
  /** Commit that this server was built from, where that is known. */
  readonly commit?: string
}
