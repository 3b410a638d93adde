import { expect, it } from 'vitest'

import { nameFindings, unkeptFeatures } from './naming.ts'

const kinds = (name: string, symbol: string): readonly string[] =>
  nameFindings(name, symbol).map(({ field, kind }) => `${field} ${kind}`)

it.each<[string, string, readonly string[]]>([
  ['Nova Scout', 'NOVA', []],
  ['Harbour Pilot', 'HARB', []],
  // Words that contain others, and numbers that are no promise.
  ['Learning Bondi Fundamentals', 'LEARN', []],
  ['Agent 47', 'A47', []],
  ['Matrix 4x4', 'MAT', ['agent_name promise-of-gain']],
  ['Guaranteed 10x Yield Agent', 'GYA', ['agent_name promise-of-gain', 'agent_name gain-word']],
  ['100% Safe Staker', 'SAFE', ['agent_name promise-of-gain']],
  ['Everyone Gets 20 Percent', 'EGP', ['agent_name promise-of-gain']],
  ['It Pays Out Weekly', 'IPW', ['agent_name promise-of-gain']],
  ['Weekly Digest', 'WKD', []],
  ['PassiveIncome Bot', 'PIB', ['agent_name promise-of-gain', 'agent_name gain-word']],
  ['Dividend Machine', 'DVM', ['agent_name share-of-revenue']],
  ['Revenue Sharing Agent', 'RSA', ['agent_name share-of-revenue']],
  ['Nova Scout', 'USDC', ['symbol impersonation', 'symbol stable-value']],
  ['Nova Scout', 'U5DC', ['symbol impersonation']],
  ['Nova Scout', 'WETH', ['symbol impersonation']],
  ['Nova Scout', 'ETHV2', ['symbol impersonation']],
  ['Nova Scout', 'NOVAUSD', ['symbol stable-value']],
  ['Coinbase Helper', 'CBH', ['agent_name impersonation']],
  ['Сoinbase Helper', 'CBH', ['agent_name impersonation']],
  ['First Bank of Agents', 'FBA', ['agent_name regulated-word']],
  ['Nova Scout', 'YIELD', ['symbol gain-word']],
])('of "%s" (%s) says %j', (name, symbol, expected) => {
  expect(kinds(name, symbol)).toEqual(expected)
})

it.each<[string, string, readonly string[]]>([
  ['Harbour Governance DAO', 'HGD', ['agent_name governance']],
  ['Deflationary Fox', 'BURN', ['agent_name deflationary', 'symbol burn']],
  ['Staking Pool Helper', 'SPH', ['agent_name staking']],
  // Words that contain others.
  ['Mistake Hunter', 'AUBURN', []],
  ['Devoted Scout', 'DVT', []],
])('of "%s" (%s) a plan without votes and vault keeps not %j', (name, symbol, expected) => {
  const said = (kept: boolean) =>
    unkeptFeatures(name, symbol, { votes: kept, vault: kept }).map(({ field, found }) => `${field} ${found}`)
  expect(said(false)).toEqual(expected)
  expect(said(true)).toEqual(expected.filter((one) => /deflationary|burn/.test(one)))
})
