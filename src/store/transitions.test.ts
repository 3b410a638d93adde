import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { transitions } from './transitions.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/ledger.md'), 'utf8')

/** The rows of the page's table of moves: name, states it starts from, state it leads to. */
const documented = [...page.matchAll(/^\| `(\w+)` \| ([A-Z, —]+) \| ([A-Z—]+) \| .+ \|$/gm)].map(
  ([, name, from, to]) => ({
    name,
    from: from === '—' ? [] : from?.split(', '),
    to: to === '—' ? null : to,
  }),
)

it('the moves of docs/ledger.md are those that a payment can make, in the same order', () => {
  expect(documented).toEqual(Object.entries(transitions).map(([name, { from, to }]) => ({ name, from: [...from], to })))
})

it('the states of docs/ledger.md are those that a move leads to', () => {
  const states = [...page.matchAll(/^\| ([A-Z]+) \| /gm)].map(([, state]) => state)
  const reached = Object.values(transitions).flatMap(({ to }) => to ?? [])
  expect(new Set(states)).toEqual(new Set(reached))
})

it('the invariants of docs/ledger.md are those that tests name, each by one at least', () => {
  const root = join(import.meta.dirname, '../..')
  const tests = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  )
  const named = new Set(tests.flatMap((text) => text.match(/\bI[1-9]\d?\b/g) ?? []))
  const stated = [...page.matchAll(/^\| (I\d+) \|/gm)].map(([, name = '']) => name)
  expect(stated).toHaveLength(14)
  expect([...named].toSorted()).toEqual(stated.toSorted())
})
