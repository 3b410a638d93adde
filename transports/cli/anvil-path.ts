import { execFile } from 'node:child_process'
import { access, constants, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { makeFolder } from '../../src/platform/folder.ts'
import { anvilPackage, findAnvil as findInstalled } from '../../sandbox/anvil.ts'

type Env = Readonly<Record<string, string | undefined>>

export type AnvilParts = {
  readonly env: Env
  readonly note: (text: string) => void
  /** Files, or their URLs, from which installed packages are looked for on upwards. */
  readonly places: readonly string[]
  /** Installs one package below a folder; npm does it unless a test does. */
  readonly install?: Install
}

type Install = (spec: string, prefix: string) => Promise<void>

/**
 * Where the local chain's program is: named by `TOLLGATE_ANVIL`, else among the installed packages, else in the user's
 * cache, where it is fetched to once, because nobody who only uses tools should have to download a blockchain.
 * @throws Error with what to do, where it cannot be had.
 */
export async function findAnvil({ env, note, places, install = npmInstall }: AnvilParts): Promise<string> {
  const named = env['TOLLGATE_ANVIL']
  if (named !== undefined && named !== '') return named
  const { name, version, program } = anvilPackage
  const caches = env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const cache = join(caches, 'tollgate', `anvil-${version}`)
  const cached = join(cache, 'node_modules', name, program)
  for (const place of places) {
    const found = installedNear(place)
    if (found !== undefined) return found
  }
  if (await isExecutable(cached)) return cached

  const spec = `${name}@${version}`
  note(`The local chain is fetched once from npm: ${spec} into ${cache} …`)
  try {
    makeFolder(join(caches, 'tollgate'))
    // Fetched beside its place and then moved, so that half a download is never taken for a whole one.
    const beside = await mkdtemp(`${cache}-`)
    try {
      await install(spec, beside)
      await rename(beside, cache)
    } catch (error) {
      // Another process may have been faster.
      await rm(beside, { recursive: true, force: true })
      if (!(await isExecutable(cached))) throw error
    }
  } catch (cause) {
    throw new Error(
      `The sandbox needs the local chain "anvil", and npm could not fetch ${spec}. ` +
        'Install @foundry-rs/anvil next to your project, or name the program in TOLLGATE_ANVIL.',
      { cause },
    )
  }
  return cached
}

function installedNear(place: string): string | undefined {
  try {
    return findInstalled(place)
  } catch {
    // Not there: the next place is tried.
    return undefined
  }
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return true
  } catch {
    // Whatever is wrong with it, it cannot be started.
    return false
  }
}

async function npmInstall(spec: string, prefix: string): Promise<void> {
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  // On Windows npm is a script, which only a shell can start.
  await promisify(execFile)('npm', ['install', '--prefix', prefix, ...quiet, spec], {
    shell: process.platform === 'win32',
    timeout: 300_000,
  })
}
