import { defineKnowledge, lines, phrases, say, sayIf } from '../../../src/tool/knowledge.ts'
import type tool from './tool.ts'

export default defineKnowledge<typeof tool>({
  category: 'tokenomics',
  chains: 'any',
  questions: lines(`
    why does nobody pay my x402 endpoint
    audit the pricing of my paid api
    is my 402 envelope correct
    how can my paid endpoint earn more
    what should i change so that agents find my paid service
    my endpoint gets no paying callers
    am i charging too little per call
    is my service discoverable in the bazaar
    check the payment terms of this endpoint
    where is my paid route leaking revenue
    how much more could i earn a month
    review my paywall
    is the price of my api right
    optimize the income of my agent service
    will clients be able to pay this url
    can a standard x402 client pay this endpoint
    i sell an api to agents and make no money
    nobody buys from my endpoint
    why do bots not pay me
    how do i get more sales from my service
    what is wrong with my payment page
    is my price stupid
    how do i make my paid url earn
    customers cannot pay me
    check that my shop for agents works
    tune my endpoint for more income
  `),
  keywords: phrases(`
    x402 endpoint, paid endpoint, paid api, paid route, audit pricing, pricing of api, revenue, monetize,
    monetization, earn more, paying callers, buyers, customers, charge per call, undercharging, price per
    call, 402, payment envelope, discoverability, conversion, bazaar listing, optimize, paywall, broken
    envelope, envelope, monetise, sell api calls, api income, price my api, more sales, listing in bazaar,
    increase revenue, facilitator setup, why nobody pays, leaking revenue, payable
  `),
  inputs: {
    endpoint_url: { from: 'url' },
    assumed_monthly_paid_calls: { from: 'number', of: 'call calls request requests paid month monthly' },
  },
  summary: (audit) =>
    say`${audit.endpoint_url} is ${audit.verdict}.` +
    (audit.recommendations.length === 0
      ? ''
      : say` First: ${audit.recommendations[0]?.action} Expected lift: $${audit.expected_lift_usd_per_month} a month.`),
  points: [
    { about: 'price charges cost how much', say: (audit) => sayIf`Its price is $${audit.current_state.price_usd}.` },
    { about: 'network chain', say: (audit) => sayIf`It is paid on ${audit.current_state.network}.` },
    { about: 'recipient pay paid wallet who', say: (audit) => sayIf`Payments go to ${audit.current_state.pay_to}.` },
    {
      about: 'discoverable bazaar listed found',
      say: (audit) => sayIf`Discoverable in the bazaar: ${audit.current_state.bazaar_discoverable}.`,
    },
  ],
  provides: [{ kind: 'wallet', at: 'current_state.pay_to', words: 'payee recipient pay wallet paid seller' }],
})
