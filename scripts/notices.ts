/** The licences of the packages that are bundled, as their authors ask: name, version and the whole text of each. */
import { readdir, readFile } from 'node:fs/promises'

import { isRecord } from '../src/platform/record.ts'

type Package = {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly author: string
  readonly texts: string
}

/** `node_modules/@scope/name/dist/x.js` → `node_modules/@scope/name`; the innermost where packages are nested. */
const packageFolder = (input: string): string | undefined =>
  /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]?.replace(/^.*?(?=node_modules\/)/, '')

async function describe(root: URL, folder: string): Promise<Package> {
  const place = new URL(`${folder}/`, root)
  const about: unknown = JSON.parse(await readFile(new URL('package.json', place), 'utf8'))
  const text = (key: string, from: unknown = about): string =>
    isRecord(from) && typeof from[key] === 'string' ? from[key] : ''
  if (text('name') === '' || text('license') === '') throw new Error(`${folder} names no licence`)
  const files = (await readdir(place)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).toSorted()
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, place), 'utf8')))
  return {
    name: text('name'),
    version: text('version'),
    license: text('license'),
    author: text('author') || text('name', isRecord(about) ? about['author'] : undefined),
    texts: texts.map((one) => one.trim()).join('\n\n'),
  }
}

/**
 * Returns the text of THIRD-PARTY-NOTICES for a bundle.
 *
 * @param inputs the files that went into it, as esbuild's metafile names them
 * @param others folders of packages that travel in another form, such as compiled contracts
 * @throws where a package names no licence
 */
export async function noticesOf(root: URL, inputs: readonly string[], others: readonly string[]): Promise<string> {
  const folders = new Set([...inputs.flatMap((input) => packageFolder(input) ?? []), ...others])
  const packages = await Promise.all([...folders].map((folder) => describe(root, folder)))
  const sorted = packages.toSorted((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en'))
  const entries = sorted.map(({ name, version, license, author, texts }) =>
    [
      `${name} ${version}`,
      `Licence: ${license}`,
      ...(author === '' ? [] : [`Author: ${author}`]),
      '',
      texts || 'The package brings no text of its licence.',
    ].join('\n'),
  )
  const line = `\n\n${'-'.repeat(80)}\n\n`
  return `${['Tollgate contains code of these packages.', ...entries].join(line)}\n`
}
