/** One attacker, in a process of its own: `node attacker.ts <attack> <milliseconds>`, the target as JSON in TARGET. */
import { attacksOn, slowAttacks, type Target } from '../../test/harness/attack/attacks.ts'

const [what = '', forMs = '0'] = process.argv.slice(2)
const target: Target = JSON.parse(process.env['TARGET'] ?? '{}')
const attack = (await attacksOn(target))[what]
if (attack === undefined) throw new Error(`There is no attack "${what}".`)

/** How many are under way at a time. */
const atOnce = slowAttacks.has(what) ? 2 : 8
/** An attack that takes long is waited for, so that some of it lies in the time that is measured. */
const mostWaitMs = 30_000

const over = new AbortController()
let count = 0
let answered = 0
let begin = (): void => {}
const firstDone = new Promise<void>((resolve) => {
  begin = resolve
})

async function go(): Promise<void> {
  while (!over.signal.aborted) {
    const result: unknown = await attack?.().catch(() => undefined)
    count += 1
    if (statusOf(result) === 200) answered += 1
    begin()
  }
}

/** How a call ended, where the attack tells. */
function statusOf(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'status' in result ? result.status : undefined
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const all = Promise.all(Array.from({ length: atOnce }, go))
await Promise.race([firstDone, sleep(mostWaitMs)])
process.stdout.write('ready\n')
await sleep(Number(forMs))
over.abort()
await Promise.race([all, sleep(mostWaitMs)])
process.stdout.write(`${count} ${answered}\n`)
process.exit(0)
