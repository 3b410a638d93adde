/**
 * Runs everything that is measured, one after the other, and prints one table of ratios for docs/performance.md.
 *
 *     npm run bench
 *     npm run bench -- --node /usr/bin/node   the servers on another Node
 */
import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { type Row, tableOf } from './support/table.ts'

const passedOn = process.argv.slice(2)
/** What each file takes: only those that start servers can start them on another Node. */
const files = [
  { file: 'http.ts', args: [...passedOn, '--json'] },
  { file: 'mcp.ts', args: ['--json'] },
  { file: 'stdio.ts', args: [...passedOn, '--json'] },
  { file: 'site-tools.ts', args: ['--json'] },
  { file: 'memory.ts', args: ['--json'] },
  { file: 'package.ts', args: ['--json'] },
]

const rows: Row[] = []
for (const { file, args } of files) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('{')) rows.push(JSON.parse(line) as Row)
    else console.error(line)
  }
  const code = await ended
  if (code !== 0) console.error(`${file} ended with ${code}`)
}
const [cpu] = cpus()
console.log(`\n${cpus().length} × ${cpu?.model ?? 'unknown'}, Node ${process.version}\n\n${tableOf(rows)}`)
