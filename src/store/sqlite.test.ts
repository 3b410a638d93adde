import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openSqliteStore } from './sqlite.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-sqlite-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Another process that holds the ledger until it is killed. */
async function holder(path: string) {
  const module = new URL('./sqlite.ts', import.meta.url).href
  const child = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `const { openSqliteStore } = await import(${JSON.stringify(module)})
     await openSqliteStore(${JSON.stringify(path)})
     process.stdout.write('open')
     setInterval(() => {}, 1_000)`,
  ])
  await once(child.stdout, 'data')
  return {
    kill: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

describe('the ledger’s file', () => {
  it('is refused to a second process, and free again as soon as the first is killed', async () => {
    const path = join(folder, 'shared', 'ledger.db')
    const other = await holder(path)
    try {
      await expect(openSqliteStore(path)).rejects.toThrow(/in use by another Tollgate/)
    } finally {
      await other.kill()
    }
    const store = await openSqliteStore(path)
    await store.check()
    await store.close()
  })

  it('is refused to a second store of the same process', async () => {
    const path = join(folder, 'twice.db')
    const store = await openSqliteStore(path)
    await expect(openSqliteStore(path)).rejects.toThrow(/in use by another Tollgate/)
    await store.close()
    await (await openSqliteStore(path)).close()
  })

  it('can be read by others while it is in use', async () => {
    const path = join(folder, 'readable.db')
    const other = await holder(path)
    try {
      const reader = new DatabaseSync(path, { readOnly: true })
      expect(reader.prepare('select count(*) as n from payments').get()).toEqual({ n: 0 })
      reader.close()
    } finally {
      await other.kill()
    }
  })

  it('is refused where a newer version wrote it, and then not kept from that version', async () => {
    const path = join(folder, 'newer.db')
    const db = new DatabaseSync(path)
    db.exec('pragma user_version=99')
    db.close()
    await expect(openSqliteStore(path)).rejects.toThrow(/newer Tollgate/)
    await expect(openSqliteStore(path)).rejects.toThrow(/newer Tollgate/)
  })

  it('is refused with a reason where it is no database, or its folder cannot be made', async () => {
    const path = join(folder, 'text.db')
    await writeFile(path, 'This is no database at all. '.repeat(100))
    await expect(openSqliteStore(path)).rejects.toThrow(/not a database/)
    await writeFile(join(folder, 'file'), '')
    await expect(openSqliteStore(join(folder, 'file', 'ledger.db'))).rejects.toThrow()
    await mkdir(join(folder, 'folder.db'))
    await expect(openSqliteStore(join(folder, 'folder.db'))).rejects.toThrow()
  })
})
