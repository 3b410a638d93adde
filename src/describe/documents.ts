import { agenticPath, paths } from '../tool/urls.ts'
import type { DescribeConfig } from './config.ts'

/** MCP revisions this server speaks, oldest first. */
export const mcpProtocolVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

/** The path the payment index looks for its claim at. */
export const index402Path = '/.well-known/402index-verify.txt'

/** Where the catalog of the site tools is, and what goes with it. */
export const catalogPaths = {
  page: '/tools',
  api: paths.siteTools,
  ecosystem: '/x402-ecosystem.json',
  schema: '/catalog.schema.json',
} as const

/** The page of a tool as text. */
export function toolTextPath({ slug }: { readonly slug: string }): string {
  return `${catalogPaths.page}/${slug}.md`
}

/** The page about our signatures; it is there where the server signs. */
export const signaturesPath = '/signatures.txt'

/**
 * What this server is, in at most 100 characters, as registries want it; the listings at the top level say the same.
 */
export const summary = 'Audit, planning and on-chain data tools for AI agents, paid per call in USDC with x402.'

/** Addresses of the documents and of the MCP endpoint. */
export function addressesOf({ baseUrl }: Pick<DescribeConfig, 'baseUrl'>) {
  const root = `${baseUrl}${agenticPath}`
  return {
    root,
    mcp: `${baseUrl}${paths.mcp}`,
    serverCard: `${baseUrl}${paths.serverCard}`,
    manifest: `${baseUrl}${paths.manifest}`,
    openapi: `${baseUrl}${paths.openapi}`,
    health: `${baseUrl}${paths.health}`,
    llms: `${baseUrl}${paths.llms}`,
  } as const
}

/** The claim the payment index verifies this server by, or undefined where none is configured. */
export function index402VerifyText({ index402Hash }: Pick<DescribeConfig, 'index402Hash'>): string | undefined {
  return index402Hash
}

/** The part of our registry name that is ours alone, e.g. `io.github.tollgate-tools`; it prefixes our own fields. */
export function namespaceOf({ mcpRegistryName }: Pick<DescribeConfig, 'mcpRegistryName'>): string {
  return mcpRegistryName.slice(0, mcpRegistryName.indexOf('/'))
}
