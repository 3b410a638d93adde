import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it, where they are missing; `mode` is for all that are made. Level by level, because
 * Node's own `recursive` never comes back from a place where nothing can be made, such as below /proc.
 * @throws the system's error, such as ENOENT or EACCES.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const folder = resolve(path)
  if (existsSync(folder)) return
  makeFolder(dirname(folder), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(folder)) throw error
  }
}
