/**
 * What the pages weigh and what they cost: bytes as they are sent (gzip), and CPU of the server for a request.
 *
 *     node bench/pages.ts
 */
import { gzipSync } from 'node:zlib'

import { describeConfig } from '../test/harness/describe-config.ts'
import { createToolList } from '../src/tool/tools.ts'
import { loadTools } from '../tools/load.ts'
import { createPages } from '../transports/http/pages.ts'
import { loadAssets } from '../web/assets.ts'
import { style } from '../web/style.ts'

const rounds = 200
const toolList = createToolList(await loadTools())
const sold = new Set(toolList.all.map(({ slug }) => slug))
const make = () => createPages({ toolList, config: describeConfig, sold, playWallets: [] })
const zipped = (text: string): number => gzipSync(text).length

const { files, entries } = loadAssets()
const isWallet = (name: string): boolean => name.startsWith('wallets-')
const sizeOf = (names: readonly string[]): number => names.reduce((sum, name) => sum + zipped(files[name] ?? ''), 0)
const shared = Object.keys(files).filter((name) => !Object.values(entries).includes(name))
const before = [entries['page'] ?? '', entries['try'] ?? '', ...shared]
const rows: [string, string][] = [
  ['JavaScript of a tool page before the wallets', `${sizeOf(before)} B`],
  ['with the wallets', `${sizeOf([...before, ...Object.keys(files).filter(isWallet)])} B`],
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
const [first] = toolList.all
if (first !== undefined) {
  rows.push(['CPU of a tool page with an input of its own', cpuOf(() => pages.opened(first, { input: { blocks: 3 } }))])
}
for (const [what, value] of rows) process.stdout.write(`${what.padEnd(48)}${value}\n`)
