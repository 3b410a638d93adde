// What the site tools read: the sandbox's chain and replayed services. In a process of its own, so that their work is
// not counted with the server's.
import { startSandbox } from '../../sandbox/start.ts'

const sandbox = await startSandbox()
process.once('SIGTERM', () => {
  void sandbox.stop().then(() => process.exit(0))
})
console.log(JSON.stringify({ env: sandbox.env }))
