/** One attacker, in a process of its own: `node attacker.ts <attack> <milliseconds>`, the target as JSON in TARGET. */
import { attacksOn, type Target } from '../../test/harness/attack/attacks.ts'

const [what = '', forMs = '0'] = process.argv.slice(2)
const target: Target = JSON.parse(process.env['TARGET'] ?? '{}')
const attack = (await attacksOn(target))[what]
if (attack === undefined) throw new Error(`There is no attack "${what}".`)

/** How many are under way at a time. */
const atOnce = 8
const start = performance.now()
const end = start + Number(forMs)
let count = 0
async function go(): Promise<void> {
  while (performance.now() < end) {
    await attack?.().catch(() => undefined)
    count += 1
  }
}
process.stdout.write('ready\n')
await Promise.race([
  Promise.all(Array.from({ length: atOnce }, go)),
  new Promise((resolve) => setTimeout(resolve, Number(forMs) + 2_000)),
])
process.stdout.write(`${count}\n`)
process.exit(0)
