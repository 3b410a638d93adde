import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

import { expect, it } from 'vitest'

import { node, pathOf } from './harness/sandbox-process.ts'

/** Says its process id, and lives until it is told to end. */
const sandbox = `console.log(process.pid); process.on('SIGTERM', () => { console.log('ended'); process.exit(0) }); setInterval(() => {}, 1000)`
const start = `import { runStep } from ${JSON.stringify(pathOf('scripts/step.mjs'))}
await runStep(process.execPath, ['-e', ${JSON.stringify(sandbox)}])`

it('ends the sandbox with npm, which hands a signal to its shell alone', async () => {
  // The last word keeps the shell from becoming the program itself.
  const shell = spawn('sh', ['-c', '"$0" --input-type=module -e "$1"; true', node, start], {
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  const pid = Number((await lines.next()).value)
  expect(() => process.kill(pid, 0)).not.toThrow()
  shell.kill('SIGTERM')
  expect((await lines.next()).value).toBe('ended')
})
