// Loaded before a command with --import: notes every module and every connection, and says so in a file at the end.
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const modules: string[] = []
let connections = 0

registerHooks({
  load: (url, context, next) => {
    modules.push(url)
    return next(url, context)
  },
})

subscribe('net.client.socket', () => {
  connections += 1
})

process.on('exit', () => {
  writeFileSync(process.env['WATCH_START_FILE'] ?? '/dev/null', JSON.stringify({ modules, connections }))
})
