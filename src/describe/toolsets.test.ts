import { describe, expect, it } from 'vitest'

import { loadTools } from '../../tools/load.ts'
import { isInToolset, readToolsets, toolsets } from './toolsets.ts'

const tools = await loadTools()

describe('toolsets', () => {
  it.each(toolsets)('has tools in %s', (toolset) => {
    expect(tools.filter((tool) => isInToolset(tool, toolset)).length).toBeGreaterThan(0)
  })

  it('has the paid family in core and everything in all', () => {
    const core = tools.filter((tool) => isInToolset(tool, 'core'))
    expect(core).toEqual(tools.filter(({ family }) => family === 'agentic'))
    expect(tools.every((tool) => isInToolset(tool, 'all'))).toBe(true)
  })

  it.each([
    [null, ['all']],
    ['', ['all']],
    ['nft', ['nft']],
    [' nft , core ', ['core', 'nft']],
    ['nft,nft', ['nft']],
    ['nft,cars', undefined],
    ['__proto__', undefined],
  ] as const)('reads %j', (text, expected) => {
    expect(readToolsets(text)).toEqual(expected)
  })
})
