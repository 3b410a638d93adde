import { describe, expect, it } from 'vitest'

import { readArguments, usageOf } from './arguments.ts'

const spec = {
  arguments: [{ name: 'slug', required: true }, { name: 'input' }],
  options: { json: {}, 'fail-on': { value: 'LEVEL' } },
}

describe('the arguments of a command', () => {
  it('are shown as they are read', () => {
    expect(usageOf(spec)).toBe('<slug> [input] [--json] [--fail-on LEVEL]')
  })

  it('are read in any order, with values after a space or an equals sign', () => {
    for (const args of [
      ['a', '--fail-on', 'low', '{"b":-1}', '--json'],
      ['--json', '--fail-on=low', 'a', '{"b":-1}'],
    ]) {
      const read = readArguments(spec, args)
      if (typeof read === 'string') throw new Error(read)
      expect(read.positionals).toEqual(['a', '{"b":-1}'])
      expect([read.has('json'), read.valueOf('fail-on')]).toEqual([true, 'low'])
    }
  })

  it.each([
    [['--jsn'], 'there is no flag "--jsn".'],
    [['-j'], 'there is no flag "-j".'],
    [['--constructor'], 'there is no flag "--constructor".'],
    [['--json=1'], 'the flag --json takes no value.'],
    [['--fail-on'], 'the flag --fail-on needs a value.'],
    [['--fail-on', '--json'], 'the flag --fail-on needs a value.'],
    [['a', 'b', 'c'], '"c" is one argument too many.'],
  ])('are refused where one would be ignored: %j', (args, message) => {
    expect(readArguments(spec, args)).toBe(message)
  })

  it('leaves a negative number to the option that takes it', () => {
    const read = readArguments(spec, ['--fail-on', '-5'])
    expect(typeof read === 'string' ? read : read.valueOf('fail-on')).toBe('-5')
  })
})
