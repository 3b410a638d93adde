import { expect, it } from 'vitest'

import { sqliteOfLibsql, sqliteOfNode } from './database.ts'

it.each([
  ['Node', sqliteOfNode],
  ['libsql', sqliteOfLibsql],
])('the SQLite of %s gives the same values, one row or all of them', async (_name, driver) => {
  const db = (await driver())(':memory:')
  db.exec('create table kinds (id integer primary key, bytes blob, words text, number integer, absent blob)')
  db.prepare('insert into kinds values (?, ?, ?, ?, ?)').run(1, new Uint8Array([1, 2, 255]), 'ü', 2 ** 52, null)
  const one = db.prepare('select * from kinds where id = ?').get(1)
  const [all] = db.prepare('select * from kinds where id = ?').all(1)
  for (const row of [one, all]) {
    const { bytes, ...rest } = row as { readonly bytes: Uint8Array }
    expect(rest).toMatchObject({ id: 1, words: 'ü', number: 2 ** 52, absent: null })
    expect(bytes).toBeInstanceOf(Uint8Array)
    expect([...bytes]).toEqual([1, 2, 255])
  }
  const same = db.prepare('select id from kinds where bytes = ?')
  expect(same.get(new Uint8Array([1, 2, 255]))).toMatchObject({ id: 1 })
  db.close()
})
