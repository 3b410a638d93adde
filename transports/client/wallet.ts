import { chmod, open, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

import { makeFolder } from '../../src/platform/folder.ts'
import { NotPaidError } from './errors.ts'
import { type Keyring, systemKeyring } from './keyring.ts'
import type { Account } from './spender.ts'
import { settingNames } from './settings.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** A variable that says something: an empty one is as good as none. */
function filled(env: Env, name: string): string | undefined {
  const value = env[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

/** Where a user's settings live on this system. */
function settingsFolder(env: Env): string {
  const home = filled(env, 'HOME') ?? filled(env, 'USERPROFILE') ?? homedir()
  if (process.platform === 'win32') return join(filled(env, 'APPDATA') ?? join(home, 'AppData', 'Roaming'), 'tollgate')
  return join(filled(env, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'tollgate')
}

export function walletFileOf(env: Env): string {
  return filled(env, 'TOLLGATE_WALLET_FILE') ?? join(settingsFolder(env), 'wallet.key')
}

export function journalFileOf(env: Env): string {
  return filled(env, 'TOLLGATE_JOURNAL_FILE') ?? join(dirname(walletFileOf(env)), 'payments.db')
}

/** A private key, however it is spelled; undefined where it is not one. No message ever has a part of it. */
export function readKey(text: string): `0x${string}` | undefined {
  const [, digits] = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text.trim()) ?? []
  return digits === undefined ? undefined : `0x${digits}`
}

/** What a wallet file says whose key is in the keyring: the name that it has there. */
const inKeyring = /^keyring (0x[0-9a-fA-F]{40})$/

/**
 * The key that pays: from the environment, or else from the wallet file, or from the keyring where the file says so.
 * @throws NotPaidError that says what to do
 */
export async function findKey(env: Env, keyring: Keyring = systemKeyring): Promise<`0x${string}`> {
  const inEnv = filled(env, 'TOLLGATE_WALLET_KEY')
  if (inEnv !== undefined) {
    const key = readKey(inEnv)
    if (key === undefined)
      throw new NotPaidError('wallet', 'TOLLGATE_WALLET_KEY is not a private key (0x and 64 hex digits)')
    return key
  }
  const file = walletFileOf(env)
  let text: string
  try {
    const { mode } = await stat(file)
    // Windows has no such bits; there the file's own access list decides.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new NotPaidError('wallet', `others on this machine may read ${file}`, `run chmod 600 on it`)
    }
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof NotPaidError) throw error
    throw new NotPaidError('wallet', 'there is no wallet', `run "tollgate wallet new", or give ${settingNames.wallet}`)
  }
  const [, address] = inKeyring.exec(text.trim()) ?? []
  if (address !== undefined) return keyOf(address, file, keyring)
  const key = readKey(text)
  if (key === undefined) throw new NotPaidError('wallet', `${file} holds no private key`)
  return key
}

/** The key that the keyring has for a wallet. @throws NotPaidError where it has none, or another */
async function keyOf(address: string, file: string, keyring: Keyring): Promise<`0x${string}`> {
  const key = readKey((await keyring.read(address)) ?? '')
  if (key === undefined) {
    throw new NotPaidError('wallet', `${file} says that the key of ${address} is in the keyring, and it is not there`)
  }
  const held = (await accountOf(key)).address
  if (held.toLowerCase() === address.toLowerCase()) return key
  throw new NotPaidError('wallet', `the keyring has the key of ${held} where that of ${address} should be`)
}

/**
 * Puts a key into the keyring, and its address where the key would be.
 * @throws Error where a wallet is there already: it may hold money. NotPaidError where the keyring does not keep it
 */
export async function writeKeyToKeyring(
  file: string,
  key: `0x${string}`,
  keyring: Keyring = systemKeyring,
): Promise<void> {
  const { address } = await accountOf(key)
  // Before the key is anywhere, so that none is left behind for a wallet that is not made.
  await refuseToReplace(file)
  await keyring.write(address, key)
  await writeKey(file, `keyring ${address}`)
}

async function refuseToReplace(file: string): Promise<void> {
  const isThere = await stat(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw Object.assign(new Error(`There is a file already: ${file}`), { code: 'EEXIST' })
}

/** Writes a key where only its owner reads it. @throws Error where a wallet is there already: it may hold money */
export async function writeKey(file: string, key: string): Promise<void> {
  makeFolder(dirname(file), 0o700)
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(`${key}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await chmod(file, 0o600)
}

/** The account of a key. Loads what signs on the first question. */
export async function accountOf(key: `0x${string}`): Promise<Account> {
  const { privateKeyToAccount } = await import('viem/accounts')
  return privateKeyToAccount(key)
}
