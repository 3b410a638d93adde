/**
 * Packs the package as an MCPB bundle, which desktop MCP clients install by a double click, and has the format's own
 * validator check it.
 *
 *     npm run bundle                      into tollgate.mcpb
 *     npm run bundle -- --out file.mcpb   elsewhere
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { packExtension, validateManifest } from '@anthropic-ai/mcpb/cli'

const root = new URL('../', import.meta.url)
const { values } = parseArgs({
  options: { out: { type: 'string', default: fileURLToPath(new URL('tollgate.mcpb', root)) } },
})

const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
try {
  execFileSync(process.execPath, [fileURLToPath(new URL('build.ts', import.meta.url)), '--out', join(folder, 'dist')], {
    stdio: 'inherit',
  })
  // Over stdio nothing is sold, so the database and the types of the library stay out.
  await rm(join(folder, 'dist', 'types'), { recursive: true, force: true })
  for (const file of ['manifest.json', 'LICENSE', 'README.md']) await cp(new URL(file, root), join(folder, file))
  if (!validateManifest(join(folder, 'manifest.json'))) throw new Error('The manifest is not valid.')
  if (!(await packExtension({ extensionPath: folder, outputPath: values.out, silent: true }))) {
    throw new Error('The bundle could not be packed.')
  }
  const { size } = await stat(values.out)
  process.stdout.write(`${values.out}: ${(size / 1_048_576).toFixed(1)} MiB\n`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
