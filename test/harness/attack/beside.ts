import { setTimeout } from 'node:timers/promises'

import { type Attack, pay } from './attacks.ts'
import type { Shop } from './shop.ts'

/** How many attackers there are. */
export const atOnce = 3
/** How long the thread that settles may compute without letting anything else run; milliseconds of the CPU. */
const mostBusyMs = 50
/** How long it may compute in as many turns of its event loop as an honest call takes there. */
const mostPassageMs = 250
const atOnceHonest = 6
const honestPauseMs = 400

/** What was seen beside an attack: what is not as it should be, and what its attackers were answered. */
type Seen = { readonly faults: readonly string[]; readonly attackers: readonly unknown[] }

export async function payHonestly({ honestUrl, target }: Shop): Promise<number> {
  return (await pay(honestUrl, target.wallets.payer, { blocks: 1 + Math.floor(Math.random() * 20) })).status
}

/** Attacks so many times while somebody pays. */
export async function besideAttack(shop: Shop, attack: Attack, times: number): Promise<Seen> {
  const first = await during(shop, attack, times)
  if (first.faults.length === 0) return first
  // A pause of the runtime itself may fall into any moment; one that the attack causes comes again.
  const second = await during(shop, attack, times)
  return { faults: second.faults, attackers: [...first.attackers, ...second.attackers] }
}

async function during(shop: Shop, attack: Attack, times: number): Promise<Seen> {
  const start = Date.now()
  const over = new AbortController()
  const paying = (async () => {
    const statuses: number[] = []
    while (!over.signal.aborted || statuses.length === 0) {
      statuses.push(await payHonestly(shop))
      // The first calls follow each other at once; during a long attack two a second show as much: what holds up the
      // main thread is read from its own turns, whether somebody pays in them or not.
      if (statuses.length >= atOnceHonest)
        await setTimeout(honestPauseMs, undefined, { signal: over.signal }).catch(() => {})
    }
    return statuses
  })()
  const attackers: unknown[] = []
  let left = times
  const attacker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      attackers.push(await attack().catch(() => undefined))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, attacker))
  over.abort()
  const honest = await paying
  const busyMs = shop.busiestSince(start)
  const passageMs = shop.longestPassageSince(start)
  const faults = [
    ...(busyMs > mostBusyMs ? [`computed for ${busyMs} ms without a pause`] : []),
    ...(passageMs > mostPassageMs ? [`honest answers up to ${passageMs} ms later`] : []),
    ...(honest.some((one) => one !== 200) ? [`honest calls ended ${honest.join()}`] : []),
  ]
  return { faults, attackers }
}
