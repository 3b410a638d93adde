import { readFile } from 'node:fs/promises'

import { ConfigError } from './config-error.ts'

const mostBytes = 8 * 1_048_576

/** Reads a file that people write: JSON, or YAML by its ending. @throws ConfigError naming the file, and the line. */
export async function readStructuredFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw new ConfigError([`${path}: ${isMissing ? 'is not there' : 'cannot be read'}`])
  })
  return parseStructured(text, path)
}

/** Reads text of YAML, which JSON is as well. `name` is what the text is called. @throws ConfigError with the line. */
export async function parseStructured(text: string, name: string): Promise<unknown> {
  if (text.length > mostBytes) throw new ConfigError([`${name}: is larger than ${mostBytes} bytes`])
  if (/\.json$/i.test(name)) {
    try {
      return JSON.parse(text)
    } catch (error) {
      throw new ConfigError([`${name}: is not valid JSON: ${error instanceof Error ? error.message : ''}`])
    }
  }
  // Most programs never read any.
  const { parseYaml } = await import('./yaml.ts')
  return parseYaml(text, name)
}
