import { defineKnowledge, lines, phrases, say, sayIf, sayList } from '../../../src/tool/knowledge.ts'
import type tool from './tool.ts'

export default defineKnowledge<typeof tool>({
  category: 'nft-market',
  chains: 'any',
  questions: lines(`
    what does it cost to sweep the floor
    where would the floor go if i buy ten of the cheapest
    how thin is the floor
    is sweeping worth it
    how much eth do i need for the cheapest 25 items
    cost of buying five of them
    estimate what buying twenty nfts off the floor would cost
    price impact of a sweep
    project the floor of a collection
    how long until the listings are sold out
    total to pay for the lowest listings
    what happens to the floor after a sweep
    sweep cost ladder
    how many days until the floor is cleared at the present pace
    forecast of the floor price
    what would it set me back to grab the cheapest
    i want a bunch of them what is the damage
    buying ten of them what does it cost
    can i afford to clear the floor
    how much do the cheapest twenty come to
    what if i buy up the bottom
    do i push the price up when i buy many
    forecast what sweeping it would cost
    thinking about buying a bunch
  `),
  keywords: phrases(`
    is sweeping worth it, sweep, sweeping, sweep cost, sweep the floor, floor projection, project the floor, cheapest
    listings, lowest priced listings, listings, buy up listings, listing ladder, cost of buying many, pay in
    total, sweep cost ladder, floor items, buy the floor, cost to buy ten, floor forecast, floor after buying,
    bulk buy, thin floor, forecast
  `),
  inputs: { collection: { from: 'collection' } },
  summary: (forecast, { counts }) => {
    const wanted = counts[0] ?? 10
    const step = forecast.sweep.find(({ count }) => count >= wanted) ?? forecast.sweep.at(-1)
    const floor = say`The floor of ${forecast.collection} is ${forecast.floor.eth} ETH.`
    if (step === undefined) return floor
    if (step.costEth === null) return floor + say` Fewer than ${step.count} items are listed.`
    return (
      floor +
      say` The cheapest ${step.count} cost ${step.costEth} ETH` +
      sayIf` ($${step.costUsd})` +
      sayIf`, and the floor is ${step.newFloorEth} ETH after that` +
      '.'
    )
  },
  points: [
    {
      about: 'days long pace turnover projection forecast future',
      say: ({ projection }) =>
        sayIf`At ${projection.salesPerDay} sales a day the listings last ${projection.turnoverDays} days.`,
    },
    {
      about: 'slippage impact average',
      say: ({ sweep }) =>
        `Above the floor: ${sayList(sweep, 4, ({ count, slippagePct }) => say`${count} items ${slippagePct} percent`)}.`,
    },
  ],
})
