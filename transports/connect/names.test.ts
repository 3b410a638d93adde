import { describe, expect, it } from 'vitest'

import { namesOf } from './names.ts'

const named = (address: string, ...names: readonly string[]) => names.map((name) => ({ url: new URL(address), name }))

describe('the names of tools of several servers', () => {
  it('are their own where no other server has the same', () => {
    const tools = [...named('https://a.example/mcp', 'weather', 'gas'), ...named('https://b.example/mcp', 'odds')]
    expect(namesOf(tools)).toEqual(['weather', 'gas', 'odds'])
  })

  it('have the server in front where two have the same, and the others keep theirs', () => {
    const tools = [...named('https://a.example/mcp', 'weather', 'gas'), ...named('https://b.example/mcp', 'weather')]
    expect(namesOf(tools)).toEqual(['a_example_weather', 'gas', 'b_example_weather'])
  })

  it('tell servers of one host apart by port, path and question', () => {
    expect(namesOf([...named('http://h.example:1/mcp', 'a'), ...named('http://h.example:2/mcp', 'a')])).toEqual([
      'h_example_1_a',
      'h_example_2_a',
    ])
    expect(namesOf([...named('http://h.example/x/mcp', 'a'), ...named('http://h.example/y/mcp', 'a')])).toEqual([
      'h_example_x_mcp_a',
      'h_example_y_mcp_a',
    ])
  })

  it('are unique, short enough and plain, whatever a server calls its tools', () => {
    const long = 'x'.repeat(200)
    const tools = [
      ...named('https://a.example/mcp', long, `${long}y`, 'wéather now', 'same', 'same', '', '../../etc'),
      ...named('https://b.example/mcp', long),
    ]
    const names = namesOf(tools)
    expect(new Set(names).size).toBe(tools.length)
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  })
})
