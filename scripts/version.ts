/**
 * Writes the version of package.json wherever else it stands. `changeset version` sets the one in package.json.
 *
 *     node scripts/version.ts
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Each file that holds the version, and what stands around it there. */
export const versionCopies: Readonly<Record<string, RegExp>> = {
  'README.md': /(?<=tollgate@)\d+\.\d+\.\d+/g,
  'manifest.json': /(?<="version": ")\d+\.\d+\.\d+/g,
  'server.json': /(?<="version": ")\d+\.\d+\.\d+/g,
  'src/platform/package-info.ts': /(?<=version: ')\d+\.\d+\.\d+/g,
}

/** The text of a file with another version in it. */
export function withVersion(file: string, text: string, version: string): string {
  const place = versionCopies[file]
  return place === undefined ? text : text.replaceAll(place, version)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = new URL('../', import.meta.url)
  const { version }: { readonly version: string } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
  for (const file of Object.keys(versionCopies)) {
    const place = new URL(file, root)
    await writeFile(place, withVersion(file, await readFile(place, 'utf8'), version))
  }
}
