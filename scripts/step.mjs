import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program, and ends it when this one is ended: a sandbox that is left behind would keep its port.
 * @returns its exit code.
 */
export async function runStep(program, args) {
  const child = spawn(program, args, { stdio: 'inherit' })
  const pass = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, pass)
  // npm hands a signal to its shell alone, which dies of it without a word to anybody.
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event !== undefined && process.ppid !== shell) pass('SIGTERM')
  }, 250)
  try {
    return await new Promise((resolve) => {
      child.once('error', () => resolve(1))
      child.once('exit', (status, signal) => resolve(status ?? 128 + constants.signals[signal]))
    })
  } finally {
    clearInterval(watch)
    for (const signal of signals) process.off(signal, pass)
  }
}
