/**
 * Runs what a new tool must pass: its own tests, the contract of every tool and the architecture.
 *
 *     npm run tool:test <slug>
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { toolPlaces } from '../tools/load.ts'

const [slug = ''] = process.argv.slice(2)
const place = (await toolPlaces()).find((one) => one.slug === slug)
if (place === undefined) {
  process.stderr.write(
    `There is no tool "${slug}". npm run tool:new <agentic|site> ${slug === '' ? '<slug>' : slug} makes it.\n`,
  )
  process.exit(2)
}
const folder = `tools/${place.family}/${slug}`
// None of these starts the program, so none is built for them.
const env = { ...process.env, PROGRAM_UNDER_TEST: fileURLToPath(new URL('../transports/main.ts', import.meta.url)) }
const run = (...words: readonly string[]): number =>
  spawnSync('npx', ['--no', 'vitest', 'run', ...words], { stdio: 'inherit', env }).status ?? 1
// The contract of this tool only; the architecture looks at all.
const status = run(
  folder,
  'test/contract.test.ts',
  'test/architecture.test.ts',
  '-t',
  `^(?!.*(?:agentic|site)/(?!${slug}\\b))`,
)
process.exitCode = status
