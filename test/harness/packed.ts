import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** What is no part of the sources, or is made by packing. */
const leftOut = new Set(['node_modules', '.git', 'dist', 'data', 'coverage'])

export type Packed = { readonly tarball: string; readonly files: readonly string[] }

/** Packs the package as `npm publish` would, from a copy, so that nobody's `dist` disappears meanwhile. */
export async function packPackage(folder: string): Promise<Packed> {
  const copy = join(folder, 'source')
  await cp(root, copy, { recursive: true, filter: (path) => !leftOut.has(relative(root, path)) })
  await run(process.execPath, [join(root, 'scripts/build.ts'), '--out', join(copy, 'dist')])
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
