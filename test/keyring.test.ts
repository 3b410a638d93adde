import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { walletOf } from '../sandbox/wallets.ts'
import type { Keyring } from '../transports/client/keyring.ts'
import { findKey, walletFileOf, writeKeyToKeyring } from '../transports/client/wallet.ts'
import { node, program } from './harness/sandbox-process.ts'

const run = promisify(execFile)
let folder = ''
let homes = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-keyring-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const key = walletOf('payer').privateKey
const { address } = walletOf('payer')

function somebody(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  homes += 1
  return { PATH: process.env['PATH'] ?? '', HOME: join(folder, `home-${homes}`), ...env }
}

/** A keyring that holds what it is told to. */
function keyringWith(held: Map<string, string>): Keyring {
  return {
    read: async (name) => held.get(name.toLowerCase()),
    write: async (name, secret) => void held.set(name.toLowerCase(), secret),
  }
}

describe('a wallet in the keyring', () => {
  it('leaves its address in the file and its key nowhere else', async () => {
    const env = somebody()
    const keyring = keyringWith(new Map())
    await writeKeyToKeyring(walletFileOf(env), key, keyring)
    expect(await readFile(walletFileOf(env), 'utf8')).toBe(`keyring ${address}\n`)
    expect(await findKey(env, keyring)).toBe(key)
  })

  it('replaces no wallet, and then puts nothing into the keyring', async () => {
    const env = somebody()
    const held = new Map<string, string>()
    await writeKeyToKeyring(walletFileOf(env), key, keyringWith(held))
    await expect(
      writeKeyToKeyring(walletFileOf(env), walletOf('stranger').privateKey, keyringWith(held)),
    ).rejects.toMatchObject({ code: 'EEXIST' })
    expect([...held.values()]).toEqual([key])
  })

  it.each([
    ['has nothing of it any more', undefined, 'and it is not there'],
    ['has something else under its name', 'a password', 'and it is not there'],
    ['has the key of another wallet under its name', walletOf('stranger').privateKey, 'where that of'],
  ])('signs nothing where the keyring %s', async (_what, secret, sentence) => {
    const env = somebody()
    await writeKeyToKeyring(walletFileOf(env), key, keyringWith(new Map()))
    const other = new Map(secret === undefined ? [] : [[address.toLowerCase(), secret]])
    await expect(findKey(env, keyringWith(other))).rejects.toThrow(sentence)
  })
})

describe('the keyring of this system', () => {
  const main = program

  it('is said to be missing where there is none, and no wallet is made', async () => {
    const env = somebody({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'no-bus')}` })
    const ended = await run(node, [main, 'wallet', 'new', '--keyring'], { env }).catch(
      (error: unknown) => error as { stderr: string; code: number },
    )
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.stderr).toContain('there is none here')
    expect(existsSync(walletFileOf(env))).toBe(false)
  })

  const isHere = ['dbus-run-session', 'gnome-keyring-daemon'].every(
    (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined,
  )
  it.runIf(isHere)('keeps a key for the next process (Secret Service; needs gnome-keyring)', async () => {
    const env = somebody({ MAIN: main, NODE: node, KEY: key })
    await mkdir(env['HOME'] ?? folder)
    const script = [
      'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null',
      'printf "%s\\n" "$KEY" | "$NODE" "$MAIN" wallet import --keyring --json',
      'unset KEY',
      'exec "$NODE" "$MAIN" wallet address',
    ].join(' && ')
    const { stdout } = await run('dbus-run-session', ['--', 'sh', '-c', script], { env })
    const [kept = '', shown] = stdout.trim().split('\n')
    expect(JSON.parse(kept)).toMatchObject({ address, keyring: true })
    expect(shown).toBe(address)
    expect(await readFile(walletFileOf(env), 'utf8')).toBe(`keyring ${address}\n`)
  })
})
