import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { build } from 'esbuild'

const run = promisify(execFile)

export const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Below node_modules, so that what is built finds the packages it leaves out, and nothing of it is ever committed.
 * Apart for every checkout: several may share one node_modules.
 */
function workOf(checkout: string): string {
  const name = createHash('sha256').update(checkout).digest('hex').slice(0, 8)
  return join(checkout, 'node_modules/.cache/bench', name)
}

/**
 * Builds the package as it is published, apart from the `dist` that others may be using, and returns its launcher.
 * @param checkout folder of the source; another one than this to measure another commit.
 */
export async function buildTollgate(checkout = root): Promise<string> {
  const work = workOf(checkout)
  const dist = join(work, 'dist')
  await mkdir(work, { recursive: true })
  await run(process.execPath, [join(checkout, 'scripts/build.ts'), '--out', dist], { cwd: checkout })
  return join(dist, 'tollgate.cjs')
}

/** Compiles one of `bench/peers` for any Node; the packages it measures stay as they are installed. */
export async function buildPeer(name: string): Promise<string> {
  const outfile = join(workOf(root), `${name}.mjs`)
  await build({
    entryPoints: [join(root, `bench/peers/${name}.ts`)],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  })
  return outfile
}
