// `npm start`: installs, builds and starts the sandbox, so that a fresh clone needs one command.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

await import('./install.mjs')
const node = existsSync('node_modules/node/bin/node') ? 'node_modules/node/bin/node' : process.execPath
const run = (args) => {
  const done = spawnSync(node, args, { stdio: 'inherit' })
  if (done.status !== 0) process.exit(done.status ?? 1)
}
process.stderr.write('Building …\n')
run(['scripts/build.ts'])
run(['dist/tollgate.cjs', 'sandbox', ...process.argv.slice(2)])
