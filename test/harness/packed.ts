import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { program } from './sandbox-process.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

export type Packed = { readonly tarball: string; readonly files: readonly string[] }

/**
 * Packs the package as `npm publish` would: what `files` of package.json names, with what the build made for these
 * tests, or makes now where nobody built it.
 */
export async function packPackage(folder: string): Promise<Packed> {
  const copy = join(folder, 'source')
  const dist = join(copy, 'dist')
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { files: readonly string[] }
  for (const name of ['package.json', ...files.filter((file) => file !== 'dist')]) {
    await cp(join(root, name), join(copy, name), { recursive: true })
  }
  if (program.endsWith('.ts')) await run(process.execPath, [join(root, 'scripts/build.ts'), '--out', dist])
  else await cp(dirname(program), dist, { recursive: true, filter: (path) => basename(path) !== 'package.json' })
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: copy,
  })
  const [packed] = JSON.parse(stdout) as readonly [{ filename: string; files: readonly { path: string }[] }]
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) }
}

export type Installed = {
  /** The program that `npx tollgate` would start. */
  readonly launcher: string
  readonly packages: readonly string[]
  readonly megabytes: number
}

/** Installs a tarball into a folder with nothing else in it. */
export async function installPackage(
  tarball: string,
  folder: string,
  npmArguments: readonly string[] = [],
): Promise<Installed> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private":true}\n')
  await run('npm', ['install', '--no-audit', '--no-fund', ...npmArguments, tarball], { cwd: folder })
  const modules = join(folder, 'node_modules')
  return {
    launcher: join(modules, 'tollgate/dist/tollgate.cjs'),
    packages: await packagesIn(modules),
    megabytes: (await bytesIn(modules)) / 1_000_000,
  }
}

async function packagesIn(modules: string): Promise<readonly string[]> {
  const names = (await readdir(modules)).filter((name) => !name.startsWith('.'))
  const nested = await Promise.all(
    names.map(async (name) =>
      name.startsWith('@') ? (await readdir(join(modules, name))).map((part) => `${name}/${part}`) : [name],
    ),
  )
  return nested.flat()
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
