import { canonicalize } from 'json-canonicalize'
import { keccak256, stringToBytes } from 'viem'
import { describe, expect, it } from 'vitest'

import { describeConfig as config } from '../../test/harness/describe-config.ts'
import { hasRecorded, readRecorded } from '../../test/harness/recorded.ts'
import { loadTool, toolPlaces } from '../../tools/load.ts'
import { createToolList, type SiteTool } from '../tool/tools.ts'
import { aiToolDocumentsOf, aiToolManifestOf, createManifestHash } from './manifest.ts'

const hashOf = await createManifestHash()
const loaded = await Promise.allSettled((await toolPlaces()).map(loadTool))
const { site } = createToolList(loaded.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))

/** A site tool with what matters here; the rest is the directory's. */
function toolWith(changes: Partial<SiteTool>): SiteTool {
  const [tool] = site
  if (tool === undefined) throw new Error('There is no site tool.')
  return { ...tool, ...changes }
}

type Vectors = {
  readonly vectors: readonly {
    readonly name: string
    readonly manifest: unknown
    readonly canonicalBytes: number
    readonly manifestHash: string
  }[]
}

describe('the hash of a manifest', () => {
  const file = 'onchain/erc8257/test-vectors.json'
  const { vectors } = hasRecorded() ? (readRecorded(file) as Vectors) : { vectors: [] }

  it.skipIf(vectors.length === 0)(
    "is the standard's own for each of its vectors (skipped without the recordings)",
    () => {
      expect(vectors.length).toBeGreaterThanOrEqual(2)
      for (const { name, manifest, canonicalBytes, manifestHash } of vectors) {
        expect({ name, hash: hashOf(manifest) }).toEqual({ name, hash: manifestHash })
        expect(Buffer.byteLength(canonicalize(manifest))).toBe(canonicalBytes)
      }
    },
  )

  it('does not depend on the order of fields, and does depend on every character', () => {
    expect(hashOf({ b: [1, 'ü'], a: null })).toBe(hashOf({ a: null, b: [1, 'ü'] }))
    expect(hashOf({ a: 'x' })).not.toBe(hashOf({ a: 'x ' }))
    expect(hashOf({ name: 'caf\u00e9' })).not.toBe(hashOf({ name: 'cafe\u0301' }))
    expect(hashOf({ name: 'x' })).not.toBe(hashOf({ name: '\ufeffx' }))
  })

  it('is keccak256 of the canonical text, as an independent library makes it', () => {
    const document = { z: 1e21, a: '\u20ac', nested: { '10': true, '9': false }, n: -0 }
    expect(hashOf(document)).toBe(keccak256(stringToBytes(canonicalize(document))))
    expect(canonicalize(document)).toBe('{"a":"€","n":0,"nested":{"10":true,"9":false},"z":1e+21}')
  })
})

describe('the manifest of a tool', () => {
  it('prices in atomic units under CAIP names, in lower case throughout', () => {
    const tool = toolWith({ access: { mode: 'paid-or-pass', usd: '0.25' } })
    expect(aiToolManifestOf(tool, { ...config, payTo: '0xABCDEF0000000000000000000000000000000001' })).toMatchObject({
      type: 'https://ercs.ethereum.org/ERCS/erc-8257#tool-manifest-v1',
      pricing: [
        {
          amount: '250000',
          asset: 'eip155:8453/erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
          recipient: 'eip155:8453:0xabcdef0000000000000000000000000000000001',
          protocol: 'x402',
        },
      ],
      access: {
        logic: 'OR',
        requirements: [{ kind: '0xbdf8c428', data: `0x${'0'.repeat(24)}${'3'.repeat(40)}` }],
      },
      creatorAddress: `0x${'2'.repeat(40)}`,
    })
  })

  it('has no price where none is asked, and no pass where none helps or none exists', () => {
    const free = aiToolManifestOf(toolWith({ access: { mode: 'free' } }), config)
    expect([free.pricing, free.access]).toEqual([undefined, undefined])
    const pass = aiToolManifestOf(toolWith({ access: { mode: 'pass' } }), config)
    expect([pass.pricing, pass.access?.logic]).toEqual([undefined, 'OR'])
    const { toolPass: _pass, ...without } = config
    expect(aiToolManifestOf(toolWith({ access: { mode: 'paid-or-pass', usd: '1' } }), without).access).toBeUndefined()
  })

  it('is composed text without a byte order mark, however the definition was typed', () => {
    const typed = toolWith({ name: '\ufeffCafe\u0301 watch', description: 'A\u030angstro\u0308m.' })
    const plain = toolWith({ name: 'Caf\u00e9 watch', description: '\u00c5ngstr\u00f6m.' })
    const manifest = aiToolManifestOf(typed, config)
    expect([manifest.name, manifest.description]).toEqual(['Caf\u00e9 watch', '\u00c5ngstr\u00f6m.'])
    expect(hashOf(manifest)).toBe(hashOf(aiToolManifestOf(plain, config)))
  })

  it('writes the endpoint as the standard wants it, and a plain http one as it is', () => {
    const endpointAt = (baseUrl: string) => aiToolManifestOf(toolWith({ slug: 'x' }), { ...config, baseUrl }).endpoint
    expect(endpointAt('https://TOOLS.Example.org:443')).toBe('https://tools.example.org/api/tools/x')
    expect(endpointAt('https://b\u00fccher.example')).toBe('https://xn--bcher-kva.example/api/tools/x')
    expect(endpointAt('http://127.0.0.1:8402')).toBe('http://127.0.0.1:8402/api/tools/x')
  })

  it('says so where it is of a sandbox', () => {
    expect(aiToolManifestOf(toolWith({}), { ...config, sandbox: true }).extensions).toEqual({
      'io.github.tollgate-tools.sandbox': true,
    })
    expect(aiToolManifestOf(toolWith({}), config)).not.toHaveProperty('extensions')
  })

  it.each(site)('keeps within the bounds of the standard for $slug', (tool) => {
    const manifest = aiToolManifestOf(tool, config)
    expect(Array.from(manifest.name).length).toBeLessThanOrEqual(128)
    expect(Array.from(manifest.description).length).toBeLessThanOrEqual(500)
    expect(`${manifest.name}${manifest.description}`).not.toMatch(/\p{Cc}/u)
    expect(manifest.endpoint).toMatch(/^https:\/\//)
    expect(manifest.tags.length).toBeLessThanOrEqual(16)
    expect(new Set(manifest.tags).size).toBe(manifest.tags.length)
    for (const tag of manifest.tags) expect(tag).toMatch(/^(?=.{1,32}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
    expect(nodesIn(manifest.inputs) + nodesIn(manifest.outputs)).toBeLessThanOrEqual(1024)
    expect(Math.max(depthOf(manifest.inputs), depthOf(manifest.outputs))).toBeLessThanOrEqual(16)
  })
})

describe('what is registered of a tool', () => {
  it('is the hash of exactly the text that is served, at the only address the standard allows', async () => {
    const documents = await aiToolDocumentsOf(site, config)
    expect(documents).toHaveLength(site.length)
    for (const { slug, url, text, hash } of documents) {
      expect(url).toBe(`https://tools.example.org/.well-known/ai-tool/${slug}.json`)
      expect(hash).toBe(keccak256(stringToBytes(text)))
      expect(hash).toBe(hashOf(JSON.parse(text)))
    }
  })

  it('lets the predicate decide exactly where the pass helps', async () => {
    const tools = [
      toolWith({ access: { mode: 'free' } }),
      toolWith({ access: { mode: 'paid', usd: '1' } }),
      toolWith({ access: { mode: 'paid-or-pass', usd: '1' } }),
      toolWith({ access: { mode: 'pass' } }),
      toolWith({ access: { mode: 'tiered', usd: '1', freeTierNote: 'Less.' } }),
    ]
    const nobody = `0x${'0'.repeat(40)}`
    const predicate = '0xc8721c9a776958ffffeb602da1b708bf1d318379'
    const documents = await aiToolDocumentsOf(tools, config)
    expect(documents.map((one) => one.predicate)).toEqual([nobody, nobody, predicate, predicate, predicate])
    expect(documents.map((one) => one.collections.length)).toEqual([0, 0, 1, 1, 1])
  })
})

function nodesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, member) => sum + nodesIn(member), 1)
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
