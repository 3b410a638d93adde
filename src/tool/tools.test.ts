import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { testTool } from '../../test/harness/test-tool.ts'
import { createToolList } from './tools.ts'
import type { Access, Tool } from './tool.ts'

function toolNamed(slug: string, changes: Partial<Tool> = {}): Tool {
  return {
    ...testTool,
    family: 'agentic',
    slug,
    name: slug,
    category: 'test',
    input: z.strictObject({}),
    output: z.strictObject({}),
    examples: [{ input: {}, output: {} }],
    run: () => ({}),
    ...changes,
  } as Tool
}

const site = { family: 'site', methods: ['GET'], preferredMethod: 'GET' } as Partial<Tool>

describe('createToolList', () => {
  it('lists tools by slug, whatever order they were found in', () => {
    const toolList = createToolList([toolNamed('b-2'), toolNamed('c', site), toolNamed('b'), toolNamed('a', site)])
    expect(toolList.all.map((tool) => tool.slug)).toEqual(['a', 'b', 'b-2', 'c'])
    expect(toolList.agentic.map((tool) => tool.slug)).toEqual(['b', 'b-2'])
    expect(toolList.site.map((tool) => tool.slug)).toEqual(['a', 'c'])
  })

  it('finds a tool by its slug and nothing by another word', () => {
    const toolList = createToolList([toolNamed('echo')])
    expect(toolList.bySlug('echo')?.slug).toBe('echo')
    expect(toolList.bySlug('ECHO')).toBeUndefined()
    expect(toolList.bySlug('constructor')).toBeUndefined()
  })

  it.each<[string, Partial<Tool>, RegExp]>([
    ['an unknown family', { family: 'other' } as unknown as Partial<Tool>, /unknown family "other"/],
    ['an empty description', { description: ' ' }, /needs a description/],
    ['a description over 500 characters', { description: 'x'.repeat(501) }, /501 characters/],
    ...['0.0000001', '1e-2', '-1', '.5', '01', '$1', ''].map((usd): [string, Partial<Tool>, RegExp] => [
      `the price "${usd}"`,
      { access: { mode: 'paid', usd } as Access },
      /has the price/,
    ]),
    ['a price of nothing', { access: { mode: 'paid', usd: '0.00' } }, /costs nothing/],
  ])('refuses %s and names the tool', (_what, changes, message) => {
    expect(() => createToolList([toolNamed('echo', changes)])).toThrow(message)
    expect(() => createToolList([toolNamed('echo', changes)])).toThrow(/"echo"/)
  })

  it.each(['Echo', 'echo_1', 'echo/1', '-echo', 'echo--1', ''])('refuses the slug "%s"', (slug) => {
    expect(() => createToolList([toolNamed(slug)])).toThrow(/lower-case words/)
  })

  it('refuses two tools with one slug, also across families', () => {
    expect(() => createToolList([toolNamed('echo'), toolNamed('echo', site)])).toThrow(/"echo" is defined twice/)
  })
})
