import type { AsyncEntry } from '@napi-rs/keyring'

import { NotPaidError } from './errors.ts'

const service = 'tollgate'
/** The keyring may have to ask its owner for a password first. */
const waitMs = 60_000

/**
 * The keyring of the operating system: the Keychain of macOS, the Credential Manager of Windows, the Secret Service of
 * a Linux desktop. A key lies there under the address of its wallet.
 */
export type Keyring = {
  /** The key of a wallet; undefined where there is none. @throws NotPaidError where the keyring cannot be read */
  readonly read: (address: string) => Promise<string | undefined>
  /** @throws NotPaidError where the keyring does not keep it */
  readonly write: (address: string, key: string) => Promise<void>
}

export const systemKeyring: Keyring = {
  read: (address) =>
    within(address, 'be read', async (entry, signal) => (await entry.getPassword(signal)) ?? undefined),
  write: (address, key) =>
    within(address, 'keep the key', async (entry, signal) => {
      await entry.setPassword(key, signal)
      // Some keep nothing while they are locked, and say nothing of it.
      if ((await entry.getPassword(signal)) !== key) throw new Error('The keyring gives back something else.')
    }),
}

/**
 * Uses the entry of a wallet. Whatever goes wrong is said in words of ours: an error of the keyring might hold what was
 * written.
 */
async function within<T>(
  address: string,
  what: string,
  work: (entry: AsyncEntry, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(waitMs)
  const tooLate = new Promise<never>((_resolve, reject) => {
    late.addEventListener('abort', () => reject(new Error('The keyring did not answer.')), { once: true })
  })
  try {
    return await Promise.race([work(await entryOf(address), late), tooLate])
  } catch {
    throw new NotPaidError(
      'wallet',
      `the keyring of this system cannot ${what}: there is none here, it is locked, or its access was refused`,
      'unlock it, or keep the key in a file: "tollgate wallet new" without --keyring',
    )
  }
}

async function entryOf(address: string): Promise<AsyncEntry> {
  // Loaded by whoever has a key there, and by nobody else.
  const { AsyncEntry: Entry } = await import('@napi-rs/keyring')
  // Linux has a second store, in the kernel, which forgets all at the next start of the machine: no place for money.
  return new Entry(service, address.toLowerCase(), { linux: { store: 'secret-service' } })
}
