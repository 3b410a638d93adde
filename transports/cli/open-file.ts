import { spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What opens a file with the program that its user has for it, by the system's name in Node. */
const openers: Readonly<Record<string, readonly [program: string, ...given: readonly string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** An opener that is still at it after this long has found a program and shows its messages. */
const untilItFailsMs = 1_500

/** Writes a file that only its owner may read, into a new folder among the temporary ones. Gives its path. */
export async function writePrivateFile(name: string, text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'tollgate-')), name)
  await writeFile(path, text, { mode: 0o600, flag: 'wx' })
  return path
}

/** Opens a file as a double click would; false where the system has nothing that does. */
export async function openFile(path: string, platform: string = process.platform): Promise<boolean> {
  const [program, ...given] = openers[platform] ?? ['xdg-open']
  const child = spawn(program, [...given, path], { detached: true, stdio: 'ignore' })
  child.unref()
  let timer: NodeJS.Timeout | undefined
  const isOpen = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
    timer = setTimeout(() => resolve(true), untilItFailsMs)
  })
  clearTimeout(timer)
  return isOpen
}
