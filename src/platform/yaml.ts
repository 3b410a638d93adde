import { parseDocument } from 'yaml'

import { ConfigError } from './config-error.ts'

/** Reads YAML. @throws ConfigError with the line. */
export function parseYaml(text: string, name: string): unknown {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true })
  const [wrong] = document.errors
  if (wrong !== undefined) {
    const [where] = wrong.linePos ?? []
    const place = where === undefined ? name : `${name}, line ${where.line}`
    throw new ConfigError([`${place}: ${wrong.message.split(' at line')[0] ?? 'is not valid YAML'}`])
  }
  try {
    // A few aliases are a convenience; a great many are a bomb.
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new ConfigError([`${name}: ${error instanceof Error ? error.message : 'is not valid YAML'}`])
  }
}
