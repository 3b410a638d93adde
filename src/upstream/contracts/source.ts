import { UpstreamError } from '../../errors.ts'
import type { Blockscout } from '../services/blockscout/blockscout.ts'
import type { Sourcify } from '../services/sourcify.ts'
import type { VerifiedSource } from '../services/verified-source.ts'

/** What was published about a contract. Names and paths are text of whoever published it: untrusted. */
export type ContractSource = VerifiedSource & {
  readonly isVerified: boolean
  /** Nobody could be asked who would know: there may be a source, and there may be none. */
  readonly isUnknown: boolean
  /** Who has the source; null where nobody has. */
  readonly heldBy: 'blockscout' | 'sourcify' | null
  readonly match: 'full' | 'partial' | null
  /** `bytecode_match` is the source of another contract with the same bytecode. */
  readonly method: 'source_published' | 'bytecode_match' | 'sourcify' | 'verifier_alliance' | null
  readonly licenseType: string | null
  readonly isChangedBytecode: boolean
  readonly twin: string | null
  readonly mainFile: string | null
  /** Addresses of the answers this is from. */
  readonly evidence: readonly string[]
}

type SourceParts = {
  readonly blockscout: Pick<Blockscout, 'origin' | 'contract'>
  readonly sourcify: Sourcify
  readonly chainId: number
  readonly now: Date
}

/** Looks a contract's source up: at Blockscout, and at Sourcify where Blockscout does not have it. */
export async function findSource(
  { blockscout, sourcify, chainId, now }: SourceParts,
  address: string,
): Promise<ContractSource> {
  const explorerUrl = `${blockscout.origin}/api/v2/smart-contracts/${address}`
  const registryUrl = `${sourcify.origin}/server/v2/contract/${chainId}/${address}`
  const explorer = await answerOf(blockscout.contract(address))
  if (explorer.value?.isVerified === true) {
    return { ...explorer.value, isUnknown: false, heldBy: 'blockscout', evidence: [explorerUrl] }
  }
  const registry = await answerOf(sourcify.contract(address))
  const isChangedBytecode = explorer.value?.isChangedBytecode ?? false
  if (registry.value !== null && registry.value !== undefined) {
    return {
      ...registry.value,
      isVerified: true,
      isUnknown: false,
      heldBy: 'sourcify',
      method: 'sourcify',
      licenseType: null,
      isChangedBytecode,
      twin: null,
      mainFile: registry.value.files[0]?.path ?? null,
      evidence: [...(explorer.failed === undefined ? [explorerUrl] : []), registryUrl],
    }
  }
  // The explorer knows most of what the registry knows, but not the other way round: without it nobody can say "no".
  return {
    ...nothing,
    isUnknown: explorer.failed !== undefined,
    isChangedBytecode,
    twin: explorer.value?.twin ?? null,
    evidence: [
      ...(explorer.failed === undefined ? [explorerUrl] : []),
      ...(registry.failed === undefined ? [registryUrl] : []),
    ],
    // An explorer that knows no contract there said so just now.
    fetchedAt: explorer.value?.fetchedAt ?? now,
  }
}

const nothing = {
  isVerified: false,
  heldBy: null,
  match: null,
  method: null,
  name: null,
  language: null,
  compilerVersion: null,
  evmVersion: null,
  optimizationEnabled: null,
  optimizationRuns: null,
  licenseType: null,
  verifiedAt: null,
  abi: null,
  mainFile: null,
  files: [],
} as const

type Answer<T> = { readonly value?: T; readonly failed?: UpstreamError }

async function answerOf<T>(promise: Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await promise }
  } catch (error) {
    // Whether the other service can stand in for it is decided by whoever asked both.
    if (!(error instanceof UpstreamError)) throw error
    return { failed: error }
  }
}
