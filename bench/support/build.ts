import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { build } from 'esbuild'

const run = promisify(execFile)

export const root = fileURLToPath(new URL('../../', import.meta.url))

// Below node_modules, so that what is built finds the packages it leaves out, and nothing of it is ever committed. Apart
// for every checkout: several may share one node_modules.
const checkout = createHash('sha256').update(root).digest('hex').slice(0, 8)
const work = join(root, 'node_modules/.cache/bench', checkout)

/** Builds the package as it is published, apart from the `dist` that others may be using, and gives its launcher. */
export async function buildTollgate(): Promise<string> {
  const dist = join(work, 'dist')
  await mkdir(work, { recursive: true })
  await run(process.execPath, [join(root, 'scripts/build.ts'), '--out', dist])
  return join(dist, 'tollgate.cjs')
}

/** Compiles one of `bench/peers` for any Node; the packages it measures stay as they are installed. */
export async function buildPeer(name: string): Promise<string> {
  const outfile = join(work, `${name}.mjs`)
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
