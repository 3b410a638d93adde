export type SiweDraft = {
  readonly origin: string
  readonly address: string
  readonly uri: string
  readonly chainId: number
  readonly statement: string
  readonly nonce: string
  readonly now: number
}

/** A message ready to be signed, valid for ten minutes. */
export function draftSiwe(draft: SiweDraft): string {
  return [
    `${new URL(draft.origin).host} wants you to sign in with your Ethereum account:`,
    draft.address,
    '',
    draft.statement,
    '',
    `URI: ${draft.uri}`,
    'Version: 1',
    `Chain ID: ${draft.chainId}`,
    `Nonce: ${draft.nonce}`,
    `Issued At: ${new Date(draft.now).toISOString()}`,
    `Expiration Time: ${new Date(draft.now + 600_000).toISOString()}`,
  ].join('\n')
}
