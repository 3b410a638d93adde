// `npm start`: installs, builds and starts the sandbox, so that a fresh clone needs one command.
import { existsSync } from 'node:fs'

import { runStep } from './step.mjs'

await import('./install.mjs')
const node = existsSync('node_modules/node/bin/node') ? 'node_modules/node/bin/node' : process.execPath
const run = async (args) => {
  const code = await runStep(node, args)
  if (code !== 0) process.exit(code)
}
process.stderr.write('Building …\n')
await run(['scripts/build.ts'])
await run(['dist/tollgate.cjs', 'sandbox', ...process.argv.slice(2)])
