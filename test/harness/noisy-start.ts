// Loaded before a command with --import: makes every tool's module as noisy on stdout as the worst of libraries.
import { registerHooks } from 'node:module'

registerHooks({
  load: (url, context, next) => {
    if (url.includes('/tools/agentic/')) {
      console.log('a library greets you from', url)
      console.info({ banner: true })
      console.table([{ noisy: 1 }])
      process.stdout.write('no end of line')
      process.emitWarning('a library warns')
    }
    return next(url, context)
  },
})
