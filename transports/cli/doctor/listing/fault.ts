import { cleanText } from '../../../../src/tool/text.ts'
import type { Finding } from '../operator.ts'
import type { ListedTool, Operation } from './seen.ts'

/** What keeps a server out of a directory, or lower in it than it could be. */
export type Fault = Omit<Finding, 'check'>

export const fail = (found: string, fix: string): Fault => ({ status: 'fail', found, fix })
export const warn = (found: string, fix: string): Fault => ({ status: 'warn', found, fix })

/** One fault for all operations that have it, with the first one's name. */
export function counted(
  operations: readonly Operation[],
  isBad: (operation: Operation) => boolean,
  words: string,
  fix: string,
  weight = fail,
): readonly Fault[] {
  const bad = operations.filter((operation) => isBad(operation))
  const [first] = bad
  if (first === undefined) return []
  const name = `${first.method.toUpperCase()} ${cleanText(first.path, 100)}`
  return [weight(`${bad.length} of ${operations.length} (${name}): ${words}`, fix)]
}

export function scored(
  tools: readonly ListedTool[],
  isPoor: (tool: ListedTool) => boolean,
  words: string,
): readonly Fault[] {
  const poor = tools.filter((tool) => isPoor(tool))
  if (poor.length === 0) return []
  return [
    warn(
      `${poor.length} of ${tools.length} tools (${cleanText(poor[0]?.name ?? '', 100)}) ${words}`,
      'It lowers the score that the list is ordered by.',
    ),
  ]
}
