import { readFileSync } from 'node:fs'

import type { DescribeConfig } from '../../src/describe/config.ts'

type PackageJson = {
  readonly name: string
  readonly version: string
  readonly mcpName: string
  readonly license: string
  readonly engines: { readonly node: string }
  readonly bin?: Readonly<Record<string, string>>
}

/** What this package says of itself; listings and documents must agree with it. */
export const packageJson: PackageJson = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** A server as the documents see it, under an example's address. */
export const describeConfig: DescribeConfig = {
  baseUrl: 'https://tools.example.org',
  facilitatorUrl: 'https://facilitator.example.org',
  network: 'eip155:8453',
  networkName: 'base',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x1111111111111111111111111111111111111111',
  creator: '0x2222222222222222222222222222222222222222',
  toolPass: '0x3333333333333333333333333333333333333333',
  registry: '0x265BB2DBFC0A8165C9A1941Eb1372F349baD2cf1',
  version: packageJson.version,
  serverName: 'Tollgate',
  ownerName: 'Tollgate',
  supportUrl: 'https://tools.example.org/support',
  sandbox: false,
  npmName: packageJson.name,
  mcpRegistryName: packageJson.mcpName,
  smitheryName: 'tollgate-tools/tollgate',
  index402Hash: 'a'.repeat(64),
  repository: 'https://github.com/tollgate-tools/tollgate',
}
