import { build } from 'esbuild'
import { expect, it } from 'vitest'

/**
 * What whoever bundles `tollgate/client` adds to a program that has viem already; native modules are no part of a
 * bundle.
 */
it('is small in a program that is bundled', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['transports/client/client.ts'],
    absWorkingDir: process.cwd(),
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['viem', 'libsql', '@napi-rs/keyring'],
  })
  expect(outputFiles[0]?.contents.byteLength).toBeLessThanOrEqual(60_000)
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  )
  expect([...new Set(packages)]).toEqual(['valibot'])
})
