import { parseArgs } from 'node:util'

/** An option of a command; one with a value names it as the usage shows it. */
export type OptionSpec = { readonly value?: string }

export type ArgumentSpec = {
  readonly name: string
  readonly required?: boolean
  /** The last one may be given several times. */
  readonly repeated?: boolean
}

export type ArgumentsSpec = {
  readonly arguments?: readonly ArgumentSpec[]
  readonly options?: Readonly<Record<string, OptionSpec>>
}

/** What a command was called with. */
export type Arguments = {
  readonly positionals: readonly string[]
  readonly has: (option: string) => boolean
  /** The value of an option; undefined where it was not given. */
  readonly valueOf: (option: string) => string | undefined
}

/** How a command is written, without its name. */
export function usageOf({ arguments: words = [], options = {} }: ArgumentsSpec): string {
  return [
    ...words.map(({ name, required, repeated }) => {
      const word = repeated === true ? `${name}…` : name
      return required === true ? `<${word}>` : `[${word}]`
    }),
    ...Object.entries(options).map(([name, { value }]) => `[--${name}${value === undefined ? '' : ` ${value}`}]`),
  ].join(' ')
}

/**
 * Reads the arguments of a command; a string says what is wrong with them: one that is ignored does something else than
 * was asked for.
 */
export function readArguments(spec: ArgumentsSpec, args: readonly string[]): Arguments | string {
  const options = spec.options ?? {}
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const values = new Map<string, string | undefined>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') {
      const known = spec.arguments ?? []
      if (positionals.length >= known.length && known.at(-1)?.repeated !== true) {
        return `"${token.value.slice(0, 80)}" is one argument too many.`
      }
      positionals.push(token.value)
    }
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (option === undefined) return `there is no flag "${token.rawName}".`
    if (option.value === undefined && token.value !== undefined) return `the flag ${token.rawName} takes no value.`
    const lacksValue = token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))
    if (option.value !== undefined && lacksValue) return `the flag ${token.rawName} needs a value.`
    values.set(token.name, token.value)
  }
  return { positionals, has: (option) => values.has(option), valueOf: (option) => values.get(option) }
}
