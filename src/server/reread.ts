import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import type { Config } from '../platform/config.ts'
import { ConfigError } from '../platform/config-error.ts'
import { settingNames } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import { usdOf } from '../tool/access.ts'
import type { Tool } from '../tool/tool.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Settings that are taken while a server runs; all others wait for its next start. */
const taken: ReadonlySet<string> = new Set(['TOLLGATE_PRICES', 'TOLLGATE_FREE_CALLS', 'TOLLGATE_TEXTS'])

/** What the files of a running server say now. */
export type Reread = {
  readonly tools: readonly Tool[]
  /** Settings and files that have changed and are taken at the next start, as people call them. */
  readonly waiting: readonly string[]
}

/** The tools as a configuration sells them, out of those that the process has loaded. @throws ConfigError */
export type Resell = (config: Config, env: Env) => Promise<Reread>

export type Rereading = {
  /** The files that a running server looks at. */
  readonly files: readonly string[]
  /** Reads them again. @throws ConfigError naming file and field */
  readonly read: () => Promise<Reread>
  /** All settings as the files have them now, for a start with them. @throws ConfigError naming file and field */
  readonly settings: () => Promise<{ readonly config: Config; readonly env: Env }>
}

/** The settings that are not the same in both, but for those that are taken at once. */
export function waitingSettings(before: Env, after: Env): readonly string[] {
  return settingNames.filter((name) => !taken.has(name) && (before[name] ?? '') !== (after[name] ?? ''))
}

/** What costs something else, or is called something else, than before. */
function changesOf(before: readonly Tool[], after: readonly Tool[]): readonly string[] {
  const known = new Map(before.map((tool) => [tool.slug, tool]))
  return after.flatMap((tool) => {
    const former = known.get(tool.slug)
    if (former === undefined || faceOf(former) === faceOf(tool)) return []
    const [was, is] = [usdOf(former.access), usdOf(tool.access)]
    return [was === is ? tool.slug : `${tool.slug}: $${was} is now $${is}`]
  })
}

function faceOf({ access, name, description }: Tool): string {
  return JSON.stringify([access, name, description])
}

const lookEveryMs = 1_000
/** Editors write a file in several steps. */
const settleMs = 150
/** A file that is written for longer is read as it is then. */
const mostLooks = 20

export type WatchParts = {
  readonly rereading: Rereading
  readonly tools: readonly Tool[]
  readonly reoffer: (tools: readonly Tool[]) => Promise<void>
  readonly log: Log
  /** Is told the same in a sentence; for a terminal that shows no log. */
  readonly tell?: (sentence: string) => void
}

/**
 * Looks at the files of the configuration and takes new prices as soon as they are written. Where something in them is
 * wrong, all stays as it was and the log says what. `stop` ends it when the last change was taken.
 *
 * The files are looked at each second: what tells of changes does not work in containers and on network disks.
 */
export function watchConfiguration({ rereading, tools, reoffer, log, tell = () => {} }: WatchParts): {
  stop: () => Promise<void>
} {
  let current = tools
  let isChanged = false
  const over = new AbortController()
  let under: Promise<void> | undefined
  let read = textOf(rereading.files)

  const take = async (): Promise<void> => {
    const text = await settledText(rereading.files)
    if (text === (await read)) return
    read = Promise.resolve(text)
    try {
      const { tools: next, waiting } = await rereading.read()
      const changed = changesOf(current, next)
      if (changed.length > 0) await reoffer(next)
      if (changed.length > 0) current = next
      log.info('config.reread', { changed, ...(waiting.length === 0 ? {} : { atTheNextStart: waiting }) })
      if (changed.length > 0) tell(`The configuration was read again. ${changed.join('; ')}.`)
      if (waiting.length > 0) tell(`Taken at the next start: ${waiting.join(', ')}.`)
    } catch (error) {
      // A file that was mended gives the same again, so that only a new text is worth another look.
      if (error instanceof ConfigError) log.error('config.refused', { problems: error.problems, kept: 'as it was' })
      else log.error('config.refused', { cause: error, kept: 'as it was' })
      const why = error instanceof ConfigError ? error.problems.join('; ') : 'It could not be read'
      tell(`The changed configuration is not taken, everything stays as it was. ${why}.`)
    }
  }
  const takeAll = async (): Promise<void> => {
    while (isChanged && !over.signal.aborted) {
      isChanged = false
      await take()
    }
  }
  const onChange = (): void => {
    isChanged = true
    under ??= takeAll().finally(() => {
      under = undefined
    })
  }
  for (const file of rereading.files) watchFile(file, { interval: lookEveryMs, persistent: false }, onChange)
  return {
    stop: async () => {
      over.abort()
      for (const file of rereading.files) unwatchFile(file, onChange)
      await under
    },
  }
}

/** What the files hold once nobody writes them any more. */
async function settledText(files: readonly string[]): Promise<string> {
  let text = await textOf(files)
  for (let look = 0; look < mostLooks; look += 1) {
    await pause(settleMs)
    const again = await textOf(files)
    if (again === text) return text
    text = again
  }
  return text
}

/** A file that is not there is one with nothing in it. */
async function textOf(files: readonly string[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  return JSON.stringify(texts)
}
