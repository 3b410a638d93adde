// Writes the parts of the documentation that are made from definitions: node scripts/docs.ts [--check]
import { mkdir, readFile, writeFile } from 'node:fs/promises'

import { format } from 'oxfmt'
import type { z } from 'zod'

import forBase from '../src/payments/facilitator/for-base.json' with { type: 'json' }
import { toolMarkdown } from '../src/describe/tool-markdown.ts'
import { upstreamNames, variables } from '../src/platform/config.ts'
import { paths } from '../src/tool/urls.ts'
import { usdOf } from '../src/tool/access.ts'
import type { Tool } from '../src/tool/tool.ts'
import { buyerMeanings } from '../transports/client/settings.ts'
import { loadTools } from '../tools/load.ts'

const root = new URL('../', import.meta.url)
const checking = process.argv.includes('--check')
const stale: string[] = []

/** What somebody who runs a server decides; everything else has a default that does. */
const operatorSettings: readonly (keyof typeof variables)[] = [
  'TOLLGATE_PAY_TO',
  'TOLLGATE_PUBLIC_URL',
  'TOLLGATE_FACILITATOR_URL',
  'TOLLGATE_BASE_RPC_URLS',
  'TOLLGATE_DATA_DIR',
]

const tools = (await loadTools()).toSorted((a, b) => (a.family + a.slug < b.family + b.slug ? -1 : 1))

await put('README.md', 'tools', toolTable(tools))
await put('README.md', 'settings', settingsTable(operatorSettings))
await put('docs/configuration.md', 'configuration', configurationTable())
await put('docs/configuration.md', 'buyers', buyersTable())
await put('docs/facilitators.md', 'facilitators', facilitatorTable())
await mkdir(new URL('docs/tools/', root), { recursive: true })
for (const tool of tools) {
  const [example] = tool.examples
  const shown =
    example === undefined ? undefined : { input: await json(example.input), output: await json(example.output) }
  await put(`docs/tools/${tool.slug}.md`, 'definition', toolMarkdown(tool, { baseUrl: '', example: shown }))
}

if (stale.length > 0) {
  process.stderr.write(`Not up to date: ${stale.join(', ')}. Run "npm run docs".\n`)
  process.exitCode = 1
}

/** Replaces what stands between two markers and leaves the rest of the page to its writers. */
async function put(path: string, name: string, text: string): Promise<void> {
  const file = new URL(path, root)
  const begin = `<!-- made by npm run docs: ${name} -->`
  const end = `<!-- end of ${name} -->`
  const before = await readFile(file, 'utf8').catch(() => `${begin}\n${end}\n`)
  const [head, rest] = before.includes(begin) ? split(before, begin) : ['', `\n${end}\n\n${before}`]
  const [, tail] = split(rest, end)
  const after = `${head}${begin}\n\n${text.trim()}\n\n${end}${tail}`
  if (after === before) return
  if (checking) stale.push(path)
  else await writeFile(file, after)
}

function facilitatorTable(): string {
  const rows = forBase.rows.map(
    ({ id, address, needs, costs, verifiedAt }) => `| ${id} | \`${address}\` | ${needs} | ${costs} | ${verifiedAt} |`,
  )
  return [
    '| Facilitator | Address | Needs | Costs | Read |',
    '|---|---|---|---|---|',
    ...rows,
    '| your own | `self` | a wallet with ETH on Base | the gas | |',
  ].join('\n')
}

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at)
  if (index === -1) throw new Error(`The marker "${at}" is missing.`)
  return [text.slice(0, index), text.slice(index + at.length)]
}

function toolTable(all: readonly Tool[]): string {
  const familyTable = (family: Tool['family']): string => {
    const rows = all
      .filter((tool) => tool.family === family)
      .map(
        (tool) =>
          `| [\`${tool.slug}\`](docs/tools/${tool.slug}.md) | ${priceOf(tool)} | ${cell(firstSentence(tool.description))} |`,
      )
    return ['| Tool | Price | What it does |', '|---|---|---|', ...rows].join('\n')
  }
  const parts = [`Paid per call, at \`${paths.agenticTools}/<slug>\`:\n\n${familyTable('agentic')}`]
  if (all.some((tool) => tool.family === 'site')) {
    parts.push(
      `On the site, at \`${paths.siteTools}/<slug>\`, for money or with the access pass:\n\n${familyTable('site')}`,
    )
  }
  return parts.join('\n\n')
}

function priceOf({ access }: Tool): string {
  switch (access.mode) {
    case 'free':
      return access.quotaPerDay === undefined ? 'free' : `free, ${access.quotaPerDay} a day`
    case 'paid':
      return `$${usdOf(access)}`
    case 'paid-or-pass':
      return `$${usdOf(access)} or pass`
    case 'pass':
      return 'pass'
    case 'tiered':
      return `free, more for $${usdOf(access)} or pass`
  }
}

function firstSentence(text: string): string {
  const end = text.search(/[.!?](\s|$)/)
  return end === -1 ? text : text.slice(0, end + 1)
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function configurationTable(): string {
  const upstreams = `| \`TOLLGATE_UPSTREAM_<NAME>_URL\` |  | Address of an outside service instead of its public one. NAME: ${upstreamNames.join(', ')}. |`
  return `${settingsTable(Object.keys(variables))}\n${upstreams}`
}

function buyersTable(): string {
  const rows = Object.entries(buyerMeanings).map(
    ([name, [fallback, meaning]]) => `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${cell(meaning)} |`,
  )
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

function settingsTable(names: readonly string[]): string {
  const rows = Object.entries(variables)
    .filter(([name]) => names.includes(name))
    .map(([name, schema]) => `| \`${name}\` | ${defaultOf(schema)} | ${cell(schema.description ?? '')} |`)
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

function defaultOf(schema: z.ZodType): string {
  const parsed = schema.safeParse(undefined)
  if (!parsed.success || parsed.data === undefined) return ''
  const value = parsed.data
  if (Array.isArray(value))
    return value.length === 0
      ? ''
      : value.length > 2 || typeof value[0] === 'object'
        ? 'built in'
        : `\`${value.join(',')}\``
  return typeof value === 'boolean' ? (value ? '`1`' : '`0`') : `\`${JSON.stringify(value).replaceAll('"', '')}\``
}

async function json(value: unknown): Promise<string> {
  const { code } = await format('example.json', JSON.stringify(value), { printWidth: 100 })
  return code
}
