import { readFile, stat } from 'node:fs/promises'

import { ConfigError } from './config-error.ts'

/**
 * Reads a secret that nobody else on this machine may read. No message ever has a part of it.
 * @throws ConfigError naming the variable.
 */
export async function readSecretFile(path: string, variable: string): Promise<string> {
  let mode: number
  try {
    mode = (await stat(path)).mode
  } catch {
    throw new ConfigError([`${variable}: the file cannot be read`])
  }
  // Windows has no such bits; there the file's own access list decides.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new ConfigError([`${variable}: others on this machine may read the file; run chmod 600 on it first`])
  }
  return readFile(path, 'utf8')
}
