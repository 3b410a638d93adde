type Parts = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly note: (text: string) => void
}

/** Where the local chain's program is: named by `TOLLGATE_ANVIL`, else left to the sandbox to find. */
export async function findAnvil({ env }: Parts): Promise<{ readonly anvilBinary: string | undefined }> {
  return { anvilBinary: env['TOLLGATE_ANVIL'] }
}
