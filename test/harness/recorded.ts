import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const folder = process.env['TOLLGATE_RECORDED'] ?? '../shared/recorded'
const recorded = isAbsolute(folder) ? folder : join(root, folder)

/** Whether real recorded answers are at hand; tests that need them skip without. */
export function hasRecorded(): boolean {
  return existsSync(recorded)
}

/** The full path of a recorded answer, e.g. `recordedPath('defillama/recorded.json')`. */
export function recordedPath(name: string): string {
  return join(recorded, name)
}

/** A recorded JSON body, parsed. */
export function readRecorded(name: string): unknown {
  return JSON.parse(readFileSync(recordedPath(name), 'utf8'))
}
