/**
 * What the pages weigh and what they cost: bytes as they are sent (gzip), CPU of the server for a request, and, where
 * there is a browser, how soon a page is seen and how long it takes to react.
 *
 *     node bench/pages.ts
 */
import { gzipSync } from 'node:zlib'

import { describeConfig } from '../test/harness/describe-config.ts'
import { browserPath } from '../test/browser/browser.ts'
import { createToolList } from '../src/tool/tools.ts'
import { loadTools } from '../tools/load.ts'
import { createPages } from '../transports/http/pages.ts'
import { appPage } from '../web/app-page.ts'
import { loadAssets } from '../web/assets.ts'
import { style } from '../web/style.ts'

const rounds = 200
const toolList = createToolList(await loadTools())
const sold = new Set(toolList.all.map(({ slug }) => slug))
const factsOf = () => ({ isOpen: true, latency: { expectedMs: 120, calls: 64 } })
const make = () =>
  createPages({ toolList, config: describeConfig, sold, playWallets: [], factsOf, now: () => performance.now() })
const zipped = (text: string): number => gzipSync(text).length

const { files, entries } = loadAssets()
const namesIn = (name: string, pattern: RegExp): readonly string[] =>
  [...(files[name] ?? '').matchAll(pattern)].map(([, found = '']) => found)
/** Modules with all that they need from the start, and those that they load on use. */
const withImports = (names: readonly string[]): readonly string[] => {
  const all = new Set(names)
  for (const name of all) for (const next of namesIn(name, /(?:from|import)"\.\/([^"]+)"/g)) all.add(next)
  return [...all]
}
const onUse = (names: readonly string[], part: string): readonly string[] =>
  names.flatMap((name) => namesIn(name, /import\("\.\/([^"]+)"\)/g)).filter((name) => name.startsWith(part))
const sizeOf = (names: readonly string[]): string =>
  `${[...new Set(names)].reduce((sum, name) => sum + zipped(files[name] ?? ''), 0)} B`
const first = withImports([entries['page'] ?? '', entries['try'] ?? ''])
const drawing = withImports([...first, ...onUse(first, 'answer-')])
const rows: [string, string][] = [
  ['JavaScript of a tool page when it opens', sizeOf(first)],
  ['with what draws an answer, once it is asked', sizeOf(drawing)],
  [
    'with what lays out a graph, where an answer has one',
    sizeOf(withImports([...drawing, ...onUse(drawing, 'graph-')])),
  ],
  [
    'all of it with the wallets, once something is paid',
    sizeOf(withImports([...drawing, ...onUse(drawing, 'graph-'), ...onUse(drawing, 'wallets-')])),
  ],
  ['page inside a host of MCP, whole', `${zipped(appPage({ name: 'A tool' }))} B`],
  ['CSS', `${zipped(style)} B`],
]
const pages = make()
const tools = toolList.all.map(({ slug }) => pages.at(`/tools/${slug}`)?.zipped.length ?? 0)
rows.push(['largest tool page, as HTML', `${Math.max(...tools)} B`])
rows.push(['list of tools, as HTML', `${pages.list().zipped.length} B`])

const cpuOf = (work: () => unknown): string => {
  const from = process.cpuUsage()
  for (let round = 0; round < rounds; round += 1) work()
  const { user, system } = process.cpuUsage(from)
  return `${((user + system) / 1_000 / rounds).toFixed(3)} ms`
}
rows.push(['CPU of /tools, made already', cpuOf(() => pages.list())])
rows.push(['CPU of /tools, made anew', cpuOf(() => make().list())])
const [tool] = toolList.all
if (tool !== undefined) {
  rows.push(['CPU of a tool page with an input of its own', cpuOf(() => pages.opened(tool, { input: { blocks: 3 } }))])
}
if (browserPath === undefined) rows.push(['in a browser', 'there is none on this machine'])
else {
  const { seenAndFelt } = await import('./support/page-trace.ts')
  rows.push(...(await seenAndFelt()))
}
for (const [what, value] of rows) process.stdout.write(`${what.padEnd(54)}${value}\n`)
