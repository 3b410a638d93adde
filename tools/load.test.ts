import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { loadTools, toolPlaces } from './load.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-tools-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function treeOf(name: string, files: Readonly<Record<string, string>>): Promise<URL> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, name, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return pathToFileURL(join(folder, name, '/'))
}

const tool = (family: string, slug: string) =>
  `export default { family: '${family}', slug: '${slug}', run: () => ({}) }`

describe('loading tools', () => {
  it('finds a tool by its folder alone, in either family', async () => {
    const root = await treeOf('good', {
      'site/beta/tool.ts': tool('site', 'beta'),
      'agentic/alpha/tool.ts': tool('agentic', 'alpha'),
      'agentic/alpha/fixtures/one.json': '{}',
      'agentic/README.md': 'not a tool',
    })
    expect((await loadTools(root)).map(({ family, slug }) => `${family}/${slug}`)).toEqual([
      'agentic/alpha',
      'site/beta',
    ])
  })

  it('is content with a family that has no tools', async () => {
    const root = await treeOf('empty', { 'agentic/alpha/tool.ts': tool('agentic', 'alpha') })
    expect(await loadTools(root)).toHaveLength(1)
  })

  it.each([
    [
      'a tool that does not load',
      { 'agentic/half/tool.ts': 'export default {' },
      /tools\/agentic\/half\/tool\.ts could not be loaded/,
    ],
    ['a tool under another slug', { 'agentic/moved/tool.ts': tool('agentic', 'old') }, /"agentic\/old".*its place/],
    ['a tool in the wrong family', { 'site/stray/tool.ts': tool('agentic', 'stray') }, /"agentic\/stray".*its place/],
    ['a module without a default', { 'agentic/bare/tool.ts': 'export const a = 1' }, /bare.*as its default/],
  ])('refuses %s and names the folder', async (what, files, message) => {
    const root = await treeOf(what.replaceAll(' ', '-'), files)
    await expect(loadTools(root)).rejects.toThrow(message)
  })

  it('passes over a folder that holds no tool yet', async () => {
    const root = await treeOf('begun', {
      'agentic/begun/notes.md': '',
      'agentic/done/tool.ts': tool('agentic', 'done'),
    })
    expect(await loadTools(root)).toHaveLength(1)
  })

  it.each(['agentic', 'site'] as const)('finds a tool in every folder of the %s family', async (family) => {
    const beside = await readdir(new URL(`./${family}/`, import.meta.url)).catch(() => [])
    const found = (await toolPlaces()).filter((place) => place.family === family).map((place) => place.slug)
    expect(found).toEqual(beside.toSorted((a, b) => (a < b ? -1 : 1)))
  })
})
