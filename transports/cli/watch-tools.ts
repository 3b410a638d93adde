import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { ConfigError } from '../../src/platform/config-error.ts'

/** Editors write a file in several steps. */
const settleMs = 150

export type WatchToolsParts = {
  readonly folder: string
  /**
   * Serves the tools as they are now, in place of the former ones.
   * @throws ConfigError, and then nothing has changed.
   */
  readonly reload: () => Promise<number>
  readonly note: (text: string) => void
}

/** Loads the tools of a folder anew whenever one of its files changes; `stop` ends it when the last reload is over. */
export function watchTools({ folder, reload, note }: WatchToolsParts): { readonly stop: () => Promise<void> } {
  let isChanged = false
  const over = new AbortController()
  let under: Promise<void> | undefined

  const reloadAll = async (): Promise<void> => {
    while (isChanged && !over.signal.aborted) {
      await pause(settleMs)
      isChanged = false
      try {
        note(`Loaded ${folder} again: ${await reload()} tools.`)
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        note(
          [`The tools stay as they were. In ${folder}:`, ...error.problems.map((problem) => `  ${problem}`)].join('\n'),
        )
      }
    }
  }
  const onChange = (): void => {
    isChanged = true
    under ??= reloadAll().finally(() => {
      under = undefined
    })
  }
  // Folders are watched and not files: an editor replaces a file, and a watcher of the former one hears nothing more.
  const watchers = new Map<string, FSWatcher>()
  const watchAll = (): void => {
    for (const path of foldersBelow(folder)) {
      if (watchers.has(path)) continue
      const watcher = watch(path, (_event, name) => {
        if (name === null || isIgnored(name)) return
        watchAll()
        onChange()
      })
      const forget = (): void => {
        watchers.delete(path)
        watcher.close()
      }
      watchers.set(path, watcher.on('error', forget))
    }
  }
  watchAll()
  return {
    stop: async () => {
      over.abort()
      for (const watcher of watchers.values()) watcher.close()
      await under
    },
  }
}

function isIgnored(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules'
}

function foldersBelow(folder: string): readonly string[] {
  try {
    const all = readdirSync(folder, { withFileTypes: true })
    const folders = all.filter((one) => one.isDirectory() && !isIgnored(one.name))
    return [folder, ...folders.flatMap(({ name }) => foldersBelow(join(folder, name)))]
  } catch {
    // It was taken away meanwhile.
    return []
  }
}
