import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsOf from 'ajv-formats'
import { describe, expect, it } from 'vitest'

import { serverCardOf } from '../src/describe/cards.ts'
import { summary } from '../src/describe/documents.ts'
import { variables } from '../src/platform/config.ts'
import { describeConfig, packageJson } from './harness/describe-config.ts'
import { schemaNamed } from './harness/public-schemas.ts'
import { versionCopies, withVersion } from '../scripts/version.ts'
import { specRows } from './spec-tables.ts'

const textOf = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const serverJson = JSON.parse(textOf('server.json'))
const bundle = JSON.parse(textOf('manifest.json'))

describe('the listings', () => {
  it('carry the version of the package, which the interface fixes', () => {
    expect(packageJson.version).toBe('0.1.16')
    expect([serverJson.version, serverJson.packages[0].version, bundle.version]).toEqual(
      Array.from({ length: 3 }, () => packageJson.version),
    )
  })

  it('have their version from one place: every copy is known to the script that sets it, and none is elsewhere', () => {
    const { version } = packageJson
    const escaped = version.replaceAll('.', String.raw`\.`)
    const root = new URL('../', import.meta.url)
    const found = execFileSync('git', ['grep', '-lE', String.raw`(^|[^0-9.])${escaped}([^0-9]|$)`], { cwd: root })
      .toString()
      .trim()
      .split('\n')
    // The lock file is npm's own; tests say what they expect; what is told of a release stays as it was told.
    const others = found.filter((file) => !/^(package(-lock)?\.json|CHANGELOG\.md|test\/|docs\/clients\.md)/.test(file))
    expect(others.toSorted()).toEqual(Object.keys(versionCopies).toSorted())
    for (const file of others) {
      const text = textOf(file)
      expect(withVersion(file, text, version), file).toBe(text)
      expect(withVersion(file, text, '99.0.1')).not.toContain(version)
    }
  })

  it('carry the names of the package, and the registry name that proves who owns it', () => {
    expect(packageJson.name).toBe('tollgate')
    expect(serverJson.packages[0].identifier).toBe(packageJson.name)
    expect(bundle.name).toBe(packageJson.name)
    expect(serverJson.name).toBe(packageJson.mcpName)
    expect(serverCardOf(describeConfig).name).toBe(packageJson.mcpName)
    expect(textOf('smithery.yaml')).toMatch(new RegExp(`^name: ${packageJson.name}$`, 'm'))
    expect(textOf('smithery.yaml')).toMatch(/^target: (?:local|remote)$/m)
  })

  it('describe the server in one sentence, the same in each', () => {
    expect(summary.length).toBeLessThanOrEqual(100)
    expect([serverJson.description, bundle.description, serverCardOf(describeConfig).description]).toEqual(
      Array.from({ length: 3 }, () => summary),
    )
  })

  it('name the range of prices that the tools really have', () => {
    const prices = specRows.map(({ priceUsd }) => priceUsd)
    const { payments } = serverJson['_meta']['io.modelcontextprotocol.registry/publisher-provided']
    expect(payments.priceRangeUsd).toEqual([Math.min(...prices), Math.max(...prices)])
  })

  it('start the server in the mode that speaks MCP, on the Node versions of the package', () => {
    expect(serverJson.packages[0].packageArguments).toEqual([{ type: 'positional', value: 'stdio' }])
    expect(bundle.server.mcp_config.args).toEqual([`\${__dirname}/${bundle.server.entry_point}`, 'stdio'])
    expect(bundle.compatibility.runtimes.node).toBe(packageJson.engines.node)
  })

  it('ask only for variables that the server reads', () => {
    const names = serverJson.packages[0].environmentVariables.map(({ name }: { name: string }) => name)
    for (const name of [...names, ...Object.keys(bundle.server.mcp_config.env)]) expect(variables).toHaveProperty(name)
  })

  it.skipIf(packageJson.bin === undefined)('start the program that the package installs', () => {
    expect(packageJson.bin?.[packageJson.name]?.replace(/^\.\//, '')).toBe(bundle.server.entry_point)
  })

  it('come with the licence they name', () => {
    expect([packageJson.license, bundle.license]).toEqual(['MIT', 'MIT'])
    expect(textOf('LICENSE')).toMatch(/^MIT License\n/)
    expect(JSON.parse(textOf('glama.json')).maintainers).toEqual(['tollgate-tools'])
  })

  const registrySchema = schemaNamed('server.schema.2025-12-11.json')
  it.skipIf(registrySchema === undefined)('fit the schema of the MCP registry (skipped without a copy of it)', () => {
    const ajv = new Ajv({ strict: false })
    formatsOf.default(ajv)
    const validate = ajv.compile(registrySchema ?? false)
    expect({ valid: validate(serverJson), errors: validate.errors }).toEqual({ valid: true, errors: null })
    expect(validate({ ...serverJson, description: 'x'.repeat(101) })).toBe(false)
  })

  const bundleSchema = schemaNamed('mcpb-manifest-0.3.schema.json')
  it.skipIf(bundleSchema === undefined)('fit the schema of desktop bundles (skipped without a copy of it)', () => {
    const Validator = String(bundleSchema?.['$schema']).includes('2020-12') ? Ajv2020 : Ajv
    const ajv = new Validator({ strict: false })
    formatsOf.default(ajv)
    const validate = ajv.compile(bundleSchema ?? false)
    expect({ valid: validate(bundle), errors: validate.errors }).toEqual({ valid: true, errors: null })
    expect(validate({ ...bundle, server: undefined })).toBe(false)
  })
})
