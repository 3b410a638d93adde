import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { compileContracts, measureDeployGas } from '../../../scripts/token-gas.ts'
import { hasRecorded, readRecorded } from '../../../test/harness/recorded.ts'
import deployGas from './deploy-gas.json' with { type: 'json' }
import { openzeppelinTemplates, templates } from './templates.ts'

const withinTwoPercent = (measured: number, expected: number): boolean => Math.abs(measured / expected - 1) <= 0.02

describe('the gas table', () => {
  it(
    'repeats within two percent when every contract is compiled and deployed again',
    { timeout: 120_000 },
    async () => {
      const measured = await measureDeployGas()
      expect(Object.keys(measured)).toEqual(Object.keys(deployGas.deployGas))
      const off = Object.entries(deployGas.deployGas).filter(
        ([template, gas]) => !withinTwoPercent(measured[template as keyof typeof measured], gas),
      )
      expect(off).toEqual([])
    },
  )

  it('has compiling source for every contract that a plan can name', { timeout: 120_000 }, async () => {
    const named = Object.values(templates).flatMap(({ contracts, pass }) => [...contracts, pass])
    const compiled = Object.keys(await compileContracts())
    const missing = named.filter(({ template }) => !compiled.some((contract) => contract.endsWith(template)))
    expect(missing).toEqual([])
    expect(named.filter(({ template }) => !openzeppelinTemplates.includes(template))).toEqual([])
  })
})

describe.skipIf(!hasRecorded())(
  'the gas table beside an independent measurement (skipped when the recordings are absent)',
  () => {
    it('agrees within two percent on every template', () => {
      const row = z.object({ gasUsed: z.number() })
      const recorded = z
        .object({ results: z.object({ 'cancun/opt200': z.record(z.string(), row) }) })
        .parse(readRecorded('token-strategy/deploy_gas_measured.json')).results['cancun/opt200']
      // The passes of the recording are owned; ours of the plain template is minted by holders.
      const nameThere = { ERC721: 'ERC721Ownable', ERC721Enumerable: 'ERC721EnumerableOwnable' } as Record<
        string,
        string
      >
      const both = Object.entries(deployGas.deployGas).filter(([name]) => (nameThere[name] ?? name) in recorded)
      expect(both).toHaveLength(6)
      const off = both.filter(
        ([template, gas]) => !withinTwoPercent(gas, recorded[nameThere[template] ?? template]?.gasUsed ?? 0),
      )
      expect(off).toEqual([])
    })
  },
)
