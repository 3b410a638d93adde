import type { Payment, Purchase, Spender } from './spender.ts'
import type { Prepaid } from './prepaid.ts'

/**
 * The answer out of a balance; undefined where nothing can be drawn. A draw that turns out not to have been made is
 * tried once more.
 * @param finish gets the answer for what pays; undefined where the draw was not made.
 */
export async function answerByBalance<A>(
  spender: Pick<Spender, 'draw' | 'priceOf'>,
  prepaid: Prepaid | undefined,
  purchase: Purchase,
  finish: (payment: Payment) => Promise<A | undefined>,
): Promise<A | undefined> {
  const { url, challenge, signal, topUp } = purchase
  if (prepaid === undefined || topUp !== undefined) return undefined
  for (let tries = 0; tries < 2; tries += 1) {
    if (!(await prepaid.covers(url, challenge, spender.priceOf(challenge), signal))) return undefined
    // Where another process was faster, this is what that one pays with, in its own way.
    const answer = await finish(await spender.draw(purchase))
    if (answer !== undefined) return answer
  }
  return undefined
}
