import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { CallError } from '../../src/errors.ts'
import { makeFolder } from '../../src/platform/folder.ts'
import { programName, type RunCommand } from './command.ts'

export const defaultToolsFolder = 'my-tools'

export const run: RunCommand = async ({ args, env, note }) => {
  const [slug = ''] = args.positionals
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) || slug.length > 64) {
    throw new CallError('invalid_input', `"${slug}" is not a slug: write lower-case words joined by single hyphens.`)
  }
  const tools = args.valueOf('tools') ?? defaultToolsFolder
  const folder = join(tools, slug)
  if (existsSync(folder)) throw new CallError('invalid_input', `There is already a folder ${folder}.`)
  makeFolder(folder)
  for (const [name, text] of Object.entries(filesOf(slug))) await writeFile(join(folder, name), text)
  const program = programName(env)
  note(
    [
      `Made ${folder}: tool.ts, fixture.json and tool.test.ts.`,
      `  Check it:  ${program} test --tools ${tools}`,
      `  Try it:    ${program} call ${slug} '{"text":"Two words."}' --tools ${tools}`,
      `  Sell it:   ${program} sandbox --tools ${tools} --watch`,
    ].join('\n'),
  )
  return 0
}

/** A tool that works without network and keys, and shows what most need: an input, an answer, and a way to fail. */
function filesOf(slug: string): Readonly<Record<string, string>> {
  const name = slug
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
  return {
    'tool.ts': `import { defineTool, InvalidInputError, z } from 'tollgate'

export default defineTool({
  name: '${name}',
  description: 'Counts the words and sentences of a text. Call before sending text that has a limit. Reads no files.',
  price: '0.01',
  tags: ['text'],

  input: z.strictObject({
    text: z.string().max(100_000).describe('The text itself.'),
  }),
  output: z.strictObject({
    words: z.int(),
    sentences: z.int(),
    readingMinutes: z.number().describe('At 200 words a minute.'),
  }),
  examples: [
    {
      input: { text: 'Pay a cent. Get an answer.' },
      output: { words: 6, sentences: 2, readingMinutes: 0.03 },
    },
  ],

  // The second argument has what a call may use: web.fetch for addresses that callers name, now, signal, runTool.
  run({ text }) {
    const words = text.split(/\\s+/).filter((word) => word !== '').length
    // Whatever is thrown, the caller is not charged.
    if (words === 0) throw new InvalidInputError('/text', 'The text has no words.')
    const sentences = text.split(/[.!?]+(?:\\s|$)/).filter((part) => part.trim() !== '').length
    return { words, sentences, readingMinutes: Math.round((words / 200) * 100) / 100 }
  },
})
`,
    'fixture.json': `${JSON.stringify(
      { text: 'The first sentence is short. Is the second one longer? It is!', words: 12, sentences: 3 },
      null,
      2,
    )}\n`,
    'tool.test.ts': `import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

import type { ToolContext } from 'tollgate'

import tool from './tool.ts'

const fixture = JSON.parse(await readFile(new URL('fixture.json', import.meta.url), 'utf8'))

/** What a call gets; a tool that fetches is given pages of its fixture here. */
const context: ToolContext = {
  now: () => new Date('2026-01-01T00:00:00Z'),
  signal: AbortSignal.timeout(5_000),
  entry: 'local',
  web: { fetch: () => Promise.reject(new Error('This test has no web.')) },
  runTool: () => Promise.reject(new Error('This test has no other tools.')),
}

test('counts words and sentences', async () => {
  const { words, sentences } = await tool.run({ text: fixture.text }, context)
  assert.deepEqual({ words, sentences }, { words: fixture.words, sentences: fixture.sentences })
})

test('refuses a text without words, so that nobody is charged', async () => {
  await assert.rejects(async () => tool.run({ text: ' ' }, context), /no words/)
})
`,
  }
}
