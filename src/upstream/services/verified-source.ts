/**
 * What everybody who keeps published source says of a contract. Names and paths are text of whoever published them:
 * untrusted.
 */
export type VerifiedSource = {
  readonly name: string | null
  readonly language: string | null
  readonly compilerVersion: string | null
  readonly evmVersion: string | null
  readonly optimizationEnabled: boolean | null
  readonly optimizationRuns: number | null
  readonly verifiedAt: string | null
  readonly abi: readonly unknown[] | null
  /** Paths and lengths in characters, the main file first. */
  readonly files: readonly { readonly path: string; readonly characters: number }[]
  readonly fetchedAt: Date
}
