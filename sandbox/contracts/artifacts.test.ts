import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { toEventSignature, toFunctionSignature, type Abi } from 'viem'
import { describe, expect, it } from 'vitest'

import artifacts from './artifacts.json' with { type: 'json' }
import { hashSources, readSources } from './sources.ts'

it('the compiled contracts are those of the sources; `node sandbox/contracts/build.ts` makes them anew', () => {
  expect(artifacts.sourcesHash).toBe(hashSources(readSources()))
})

const recorded = resolve(
  import.meta.dirname,
  '../..',
  process.env['TOLLGATE_RECORDED'] ?? '../shared/recorded',
  'onchain/erc8257',
)

describe.skipIf(!existsSync(recorded))('the interfaces on record (skipped where the recordings are absent)', () => {
  it.each(['SandboxUSDC', 'ToolRegistry8257', 'ERC721OwnerPredicate'] as const)('%s has all of its own', (name) => {
    const theirs = JSON.parse(readFileSync(resolve(recorded, `${name}.abi.json`), 'utf8')) as Abi
    expect(signaturesOf(artifacts[name].abi as Abi)).toEqual(expect.arrayContaining([...signaturesOf(theirs)]))
  })
})

/** What callers depend on: functions with their answers' types, and events. Names of parameters are free. */
function signaturesOf(abi: Abi): readonly string[] {
  return abi.flatMap((item) => {
    if (item.type === 'event') return [`event ${toEventSignature(item)}`]
    if (item.type !== 'function') return []
    return [`${toFunctionSignature(item)} ${JSON.stringify(item.outputs.map(typesOf))}`]
  })
}

type Parameter = { readonly type: string; readonly components?: readonly Parameter[] }

function typesOf({ type, components = [] }: Parameter): string {
  return `${type}(${components.map(typesOf).join()})`
}
