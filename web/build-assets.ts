import { fileURLToPath } from 'node:url'

import { buildSync } from 'esbuild'

/** What runs in a browser, as text. */
export type Assets = {
  /** Modules by the names that they call each other by. */
  readonly files: Readonly<Record<string, string>>
  /** The file of each module that a page begins with. */
  readonly entries: Readonly<Record<string, string>>
  /** What they were made from, for the notices of a package. */
  readonly inputs: readonly string[]
}

/** Puts together what runs in a browser, from the sources beside this file. */
export function buildAssets(): Assets {
  const folder = fileURLToPath(new URL('browser/', import.meta.url))
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: folder,
    entryPoints: { page: 'page.ts', try: 'try.ts', pay: 'pay.ts', operator: 'operator.ts', reference: 'reference.ts' },
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  const files = Object.fromEntries(outputFiles.map(({ path, text }) => [path.slice(folder.length), text]))
  const entries = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [[entryPoint.replace(/^.*\/|\.ts$/g, ''), path.replace(/^.*\//, '')] as const],
  )
  return { files, entries: Object.fromEntries(entries), inputs: Object.keys(metafile.inputs) }
}

/** Puts together what runs inside a host of MCP: one script, because nothing is loaded there. */
export function buildApp(): string {
  const folder = fileURLToPath(new URL('browser/', import.meta.url))
  const { outputFiles } = buildSync({
    absWorkingDir: folder,
    entryPoints: ['app.ts'],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
  })
  return outputFiles[0]?.text.trim() ?? ''
}
