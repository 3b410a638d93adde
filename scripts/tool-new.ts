/**
 * Makes the folder of a new tool: a definition that works, its knowledge, a fixture and a test.
 *
 *     npm run tool:new <family> <slug>        family is agentic or site
 */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'

const [family = '', slug = ''] = process.argv.slice(2)
if (!['agentic', 'site'].includes(family) || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug)) {
  process.stderr.write('Usage: npm run tool:new <agentic|site> <slug>, the slug in lower-case words with hyphens.\n')
  process.exit(2)
}
const folder = new URL(`../tools/${family}/${slug}/`, import.meta.url)
if (existsSync(folder)) {
  process.stderr.write(`There is already a tools/${family}/${slug}.\n`)
  process.exit(1)
}
const name = slug
  .split('-')
  .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  .join(' ')
const listing = family === 'agentic' ? `  category: 'data',` : `  methods: ['GET', 'POST'],\n  preferredMethod: 'GET',`

const definition = `import { z } from 'zod'

import { addressField, cleanText, defineTool, erc20, NotFoundError, readAddress, textIn } from '../../../src/tool/tool.ts'

export default defineTool({
  family: '${family}',
  slug: '${slug}',
  name: '${name}',
  version: '0.1.0',
  tags: ['base', 'onchain'],
  description: 'Reads the symbol of a token on Base. Call when … Not for ….',

  access: { mode: 'free' },
${listing}
  latencySlaMs: 5_000,
  freshness: { mode: 'live' },
  sources: ['https://mainnet.base.org'],
  // While this service is down the tool is not sold.
  needs: ['base-rpc'],
  // What somebody else wrote; clients are told to take it as data.
  untrusted: ['/symbol'],

  input: z.strictObject({
    address: addressField.describe('The token.'),
  }),

  output: z.strictObject({
    address: z.string().describe('Lower case.'),
    symbol: z.string(),
    fetched_at: z.iso.datetime(),
  }),

  examples: [
    {
      input: { address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
      output: {
        address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
        symbol: 'USDC',
        fetched_at: '2026-11-20T12:00:00.000Z',
      },
    },
  ],

  // What it is bad at, in whole sentences; its page shows them.
  badAt: ['It reads what the contract says of itself, which anybody may make up.'],

  async run(input, { chain, now }) {
    const address = await readAddress('/address', input.address)
    const [answer] = await chain.multicall([{ to: address, data: erc20.symbol }])
    const symbol = textIn(answer)
    if (symbol === undefined) throw new NotFoundError('There is no token at this address: it names no symbol.')
    return { address, symbol: cleanText(symbol, 64), fetched_at: now().toISOString() }
  },
})
`
const knowledge = `import { defineKnowledge, lines, phrases, say } from '../../../src/tool/knowledge.ts'
import type tool from './tool.ts'

export default defineKnowledge<typeof tool>({
  category: 'token-due-diligence',
  // Ten to twenty questions in people's own words; \`ask\` and the workflow designer find the tool by them.
  questions: lines(\`
    what is the symbol of this token
    how is the coin at this address abbreviated
  \`),
  keywords: phrases('token symbol, abbreviation'),
  inputs: { address: { from: 'token' } },
  summary: ({ address, symbol }) => say\`The token at \${address} has the symbol \${symbol}.\`,
})
`
const fixture = `import { rpcFixture } from '../../../../test/harness/fixtures.ts'

/** What the chain answers to the first example, which is about a token that the sandbox has as well. */
export default rpcFixture({
  multicall: [
    {
      to: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      read: 'function symbol() view returns (string)',
      returns: 'USDC',
    },
  ],
})
`
const test = `import { expect, it } from 'vitest'

import { rpcFixture } from '../../../test/harness/fixtures.ts'
import { runTool } from '../../../test/harness/run-tool.ts'
import fixture from './fixtures/answer.ts'
import tool from './tool.ts'

const address = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'

it('answers its example', async () => {
  expect((await runTool(tool, { address }, fixture)).output).toEqual(tool.examples[0]?.output)
})

it('says so where there is no token', async () => {
  const silent = rpcFixture({
    multicall: [{ to: address, read: 'function symbol() view returns (string)', fails: true }],
  })
  await expect(runTool(tool, { address }, silent)).rejects.toMatchObject({ code: 'not_found' })
})
`
await mkdir(new URL('fixtures/', folder), { recursive: true })
const files = {
  'tool.ts': definition,
  'knowledge.ts': knowledge,
  'fixtures/answer.ts': fixture,
  'tool.test.ts': test,
}
for (const [file, text] of Object.entries(files)) await writeFile(new URL(file, folder), text)
process.stdout.write(
  `tools/${family}/${slug} is there and works. Edit tool.ts, knowledge.ts and fixtures/answer.ts, then: npm run tool:test ${slug}\n`,
)
