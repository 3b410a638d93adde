import { expect, it } from 'vitest'

import { addressOf, drawingOf, passedOn, toolAt, withDrawing } from './drawings.ts'

const tool = (meta?: Record<string, unknown>) =>
  ({ name: 'gas', inputSchema: { type: 'object' }, ...(meta === undefined ? {} : { _meta: meta }) }) as const

it('gives a page under an address of ours, whatever the server behind calls it', () => {
  const drawn = tool({ ui: { resourceUri: 'ui://tollgate/gas', visibility: ['model'] }, own: 1 })
  expect(drawingOf(drawn)).toBe('ui://tollgate/gas')
  expect(withDrawing('gas_2', drawn, true)._meta).toEqual({
    own: 1,
    ui: { resourceUri: 'ui://connect/gas_2' },
    'ui/resourceUri': 'ui://connect/gas_2',
  })
  expect(withDrawing('gas_2', drawn, false)._meta).toEqual({ own: 1 })
  expect(withDrawing('gas', tool({ 'ui/resourceUri': 'ui://a/b' }), false)._meta).toBeUndefined()
  for (const name of ['gas', 'a b/c', '%', '../x']) expect(toolAt(addressOf(name))).toBe(name)
  expect([toolAt('ui://tollgate/gas'), toolAt('ui://connect/%')]).toEqual([undefined, undefined])
})

it.each([
  ['no page', undefined],
  ['an address elsewhere', { ui: { resourceUri: 'https://example.com/' } }],
  ['no text', { ui: { resourceUri: 7 } }],
  ['spaces', { ui: { resourceUri: 'ui://a b' } }],
])('takes %s for none', (_what, meta) => {
  expect(drawingOf(tool(meta))).toBeUndefined()
  expect(JSON.stringify(withDrawing('gas', tool(meta), true))).not.toContain('ui://')
})

it('passes a page on without what it asks to reach, and nothing that is no page', () => {
  const mimeType = 'text/html;profile=mcp-app'
  const asks = { ui: { csp: { connectDomains: ['https://example.com'] }, permissions: { camera: {} } } }
  const page = { uri: 'ui://tollgate/gas', mimeType, text: '<p>', _meta: asks }
  const passed = { uri: 'ui://connect/gas', mimeType, text: '<p>', _meta: { ui: { csp: {}, prefersBorder: false } } }
  expect(passedOn('gas', { contents: [{ mimeType: 'text/plain', text: 'no' }, page] })).toEqual(passed)
  expect(passedOn('gas', { contents: [{ mimeType, blob: 'PHA+' }] })).toEqual(passed)
  for (const answer of [
    undefined,
    {},
    { contents: [{ mimeType: 'text/html', text: '<p>' }] },
    { contents: [{ mimeType }] },
  ])
    expect(passedOn('gas', answer)).toBeUndefined()
})
