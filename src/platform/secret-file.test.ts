import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readSecretFile } from './secret-file.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-secret-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('a file with a secret', () => {
  it.each([
    [0o600, true],
    [0o400, true],
    [0o640, false],
    [0o604, false],
    [0o644, false],
  ])('with mode %o is read: %s', async (mode, isRead) => {
    const path = join(folder, 'key.pem')
    await writeFile(path, 'the secret')
    await chmod(path, mode)
    const reading = readSecretFile(path, 'TOLLGATE_SIGNING_KEY_FILE')
    if (isRead) await expect(reading).resolves.toBe('the secret')
    else await expect(reading).rejects.toThrow('TOLLGATE_SIGNING_KEY_FILE: others on this machine may read the file')
    await rm(path)
  })

  it('that is not there is named by its variable', async () => {
    await expect(readSecretFile(join(folder, 'none'), 'TOLLGATE_SIGNING_KEY_FILE')).rejects.toThrow(
      'TOLLGATE_SIGNING_KEY_FILE: the file cannot be read',
    )
  })
})
