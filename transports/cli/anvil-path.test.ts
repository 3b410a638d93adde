import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { anvilPackage } from '../../sandbox/anvil.ts'
import { findAnvil } from './anvil-path.ts'

let cache: string
let notes: string[]

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'tollgate-anvil-'))
  notes = []
})

afterEach(() => rm(cache, { recursive: true }))

const find = (install: (spec: string, prefix: string) => Promise<void>, places: readonly string[] = []) =>
  findAnvil({ env: { XDG_CACHE_HOME: cache }, note: (text) => notes.push(text), places, install })

const never = async (): Promise<void> => {
  throw new Error('Nothing should be fetched.')
}

/** What npm leaves behind, as far as it matters here. */
async function putProgram(prefix: string): Promise<void> {
  const program = join(prefix, 'node_modules', anvilPackage.name, anvilPackage.program)
  await mkdir(dirname(program), { recursive: true })
  await writeFile(program, '#!/bin/sh\n')
  await chmod(program, 0o755)
}

describe('the program of the local chain', () => {
  it('is the one that TOLLGATE_ANVIL names', async () => {
    const env = { TOLLGATE_ANVIL: '/opt/anvil', XDG_CACHE_HOME: cache }
    expect(await findAnvil({ env, note: () => {}, places: [import.meta.url], install: never })).toBe('/opt/anvil')
  })

  it('is the installed one where there is one', async () => {
    expect(await find(never, [import.meta.url])).toMatch(/node_modules.+anvil/)
    expect(notes).toEqual([])
  })

  it('is fetched once, into the cache of the user, who is told so', async () => {
    const fetched: string[] = []
    const install = async (spec: string, prefix: string): Promise<void> => {
      fetched.push(spec)
      await putProgram(prefix)
    }
    const program = await find(install)
    expect(program.startsWith(join(cache, 'tollgate', `anvil-${anvilPackage.version}`))).toBe(true)
    expect(await find(install)).toBe(program)
    expect(fetched).toEqual([`${anvilPackage.name}@${anvilPackage.version}`])
    expect(notes).toHaveLength(1)
  })

  it('is fetched by two processes at once without harm', async () => {
    const [one, other] = await Promise.all([
      find((_, prefix) => putProgram(prefix)),
      find((_, prefix) => putProgram(prefix)),
    ])
    expect(one).toBe(other)
    expect(await readdir(join(cache, 'tollgate'))).toEqual([`anvil-${anvilPackage.version}`])
  })

  it('leaves nothing behind where it cannot be fetched, and says what to do', async () => {
    await expect(find(async () => Promise.reject(new Error('no network')))).rejects.toThrow(/TOLLGATE_ANVIL/)
    expect(await readdir(join(cache, 'tollgate'))).toEqual([])
  })

  it('is fetched in the version that this project is tested with', async () => {
    const { devDependencies } = z
      .object({ devDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')))
    expect(anvilPackage.version).toBe(devDependencies['@foundry-rs/anvil'])
  })
})
