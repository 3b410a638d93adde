import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { checkRows, type DatedRow, faultOf, lookAt, readDatedRows, rowsOf } from '../scripts/data-rows.ts'

const today = '2026-11-22'
const row: DatedRow = {
  file: 'a.json',
  name: 'a',
  verifiedAt: '2026-11-01',
  source: 'https://grants.example/plain',
  openUntil: undefined,
}

let base = ''
const server = createServer((request, response) => {
  const answers: Readonly<Record<string, () => void>> = {
    '/fine': () => response.setHeader('last-modified', 'Sun, 01 Nov 2026 10:00:00 GMT'),
    '/newer': () => response.setHeader('last-modified', 'Fri, 20 Nov 2026 10:00:00 GMT'),
    '/moved': () => response.writeHead(302, { location: '/fine' }),
    '/gone': () => response.writeHead(404),
    '/locked': () => response.writeHead(403),
    '/broken': () => response.writeHead(500),
  }
  answers[request.url ?? '']?.()
  response.end('page')
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

it.each([
  ['/fine', 'fine'],
  ['/newer', 'changed'],
  ['/moved', 'changed'],
  ['/gone', 'gone'],
  ['/locked', 'unread'],
  ['/broken', 'unread'],
])('calls the page %s %s', async (path, state) => {
  expect(await lookAt({ ...row, source: `${base}${path}` })).toMatchObject({ state, hasNetwork: true })
})

it('never calls a source gone that it could not reach', async () => {
  expect(await lookAt({ ...row, source: 'http://127.0.0.1:1/' })).toMatchObject({ state: 'unread', hasNetwork: false })
})

it('does not call a source fine that is not an address', async () => {
  expect(await lookAt({ ...row, source: 'its refusal' })).toMatchObject({ state: 'unread', hasNetwork: false })
})

it('checks form and age offline, and says that no source was read', async () => {
  const bad = { ...row, source: 'https://grants.example/rows.json' }
  const { findings, hasNetwork } = await checkRows([row, bad], today, true)
  expect(hasNetwork).toBe(false)
  expect(findings.map(({ state, ageDays }) => [state, ageDays])).toEqual([
    ['unread', 21],
    ['wrong', 21],
  ])
})

it.each([
  ['no date', { verifiedAt: 'yesterday' }],
  ['a date to come', { verifiedAt: '2026-11-23' }],
  ['no source', { source: '' }],
  ['a source without TLS', { source: 'http://grants.example/' }],
  ['a JSON file as source', { source: 'https://grants.example/rows.json' }],
  ['a pull request as source', { source: 'https://github.com/a/b/pull/5' }],
  ['a deadline that passed', { openUntil: '2026-11-21' }],
])('finds %s', (_what, wrong) => {
  expect(faultOf(row, today)).toBeUndefined()
  expect(faultOf({ ...row, ...wrong }, today)).toBeDefined()
})

it('takes a date at the head of a file for all of its rows, and skips files without dates', () => {
  expect(rowsOf('a.json', { verifiedAt: today, source: 'read', rows: [{}, {}] })).toHaveLength(1)
  expect(rowsOf('a.json', { rows: [{ host: 'x' }] })).toEqual([])
  const [dated, undated] = rowsOf('a.json', { rows: [{ host: 'x', verifiedAt: today, source: 'read' }, { host: 'y' }] })
  expect(dated?.name).toBe('x')
  expect(faultOf(undated ?? row, today)).toBeDefined()
})

it('finds no fault in the form of any dated row of the project', () => {
  const rows = readDatedRows(join(import.meta.dirname, '..'))
  const files = new Set(rows.map(({ file }) => file))
  expect(files).toContain('tools/agentic/base-builder-grant-finder/programs.json')
  expect(files).toContain('tools/agentic/agent-revenue-optimizer/facilitators.json')
  for (const file of [
    'src/payments/facilitator/for-base.json',
    'tools/agentic/agent-token-strategy/costs.json',
    'tools/agentic/agent-token-strategy/deploy-gas.json',
    'tools/site/native-whale-alerts/exchanges.json',
  ]) {
    expect(files).toContain(file)
  }
  const now = new Date().toISOString().slice(0, 10)
  // A deadline passes by itself; that is for the command to say, not for a test to fail on.
  expect(rows.map((each) => faultOf({ ...each, openUntil: undefined }, now)).filter(Boolean)).toEqual([])
})
