/**
 * What `npx tollgate` puts on a machine that has nothing: packages, megabytes, seconds. Needs npm and its registry.
 *
 *     node bench/package.ts
 *     node bench/package.ts --json
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { installPackage, packPackage } from '../test/harness/packed.ts'
import { note, report } from './support/table.ts'

const mostPackages = 10
const mostMegabytes = 40

const folder = await mkdtemp(join(tmpdir(), 'tollgate-size-'))
try {
  const { tarball } = await packPackage(folder)
  const startedAt = performance.now()
  const { packages, megabytes } = await installPackage(tarball, join(folder, 'project'), [
    '--cache',
    join(folder, 'cache'),
  ])
  const seconds = (performance.now() - startedAt) / 1_000
  note(`installed: ${packages.join(', ')}`)
  report([
    {
      what: 'installed from the tarball, empty cache',
      ours: `${packages.length} packages, ${megabytes.toFixed(1)} MB, ${seconds.toFixed(1)} s`,
      theirs: '',
      ratio: undefined,
      goal: `≤ ${mostPackages} packages, ≤ ${mostMegabytes} MB`,
      reached: packages.length <= mostPackages && megabytes <= mostMegabytes,
    },
  ])
} finally {
  await rm(folder, { recursive: true, force: true })
}
