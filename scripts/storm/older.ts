import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Builds the bundle of an earlier commit, with the packages that are installed now.
 * @param folder an empty one, for its files.
 * @param change makes its files those of another release before they are built.
 * @returns the path of its bundle.
 * @throws Error where there is no git, no such commit, or it cannot be built.
 */
export async function buildOlder(
  commit: string,
  folder: string,
  change: (tree: string) => Promise<void> = async () => {},
): Promise<string> {
  const tree = join(folder, 'older')
  const archive = join(folder, 'older.tar')
  await mkdir(tree)
  await run('git', ['-C', root, 'archive', '--output', archive, commit])
  await run('tar', ['-xf', archive, '-C', tree])
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir')
  await change(tree)
  await trustTypes(tree)
  await run(process.execPath, [join(tree, 'scripts', 'build.ts')], { cwd: tree, maxBuffer: 16 * 1_048_576 })
  return join(tree, 'dist', 'tollgate.cjs')
}

/** Its types were checked when it was released; a build that checks them again takes twice as long. */
async function trustTypes(tree: string): Promise<void> {
  const file = join(tree, 'tsconfig.client.json')
  if (!existsSync(file)) return
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"compilerOptions": {', '"compilerOptions": { "noCheck": true,'))
}

/** The full name of a commit. @throws Error where there is no git or no such commit. */
export async function commitOf(name: string): Promise<string> {
  const { stdout } = await run('git', ['-C', root, 'rev-parse', '--verify', `${name}^{commit}`])
  return stdout.trim()
}
