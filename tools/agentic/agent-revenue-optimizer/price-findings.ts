import { describedOf, type Finding, type Observed, priceOf } from './finding.ts'
import { kindOf, kindPrices } from './kinds.ts'
import { quoted } from './text.ts'

/** What an unmodified client signs at most without being told otherwise. */
const clientLimitUsd = 1
/** A price above this is taken for one in the wrong unit, not for a high one. */
const absurdUsd = 1_000_000
/** Below this an amount was most likely meant in dollars or cents: settling it costs more than it brings. */
const trifleUsd = 0.0001
/** How far from the mean of its kind a price must be before it says anything. */
const farFromMean = 10
/** A price most buyers know; where a much lower one could move to. */
const commonUsd = 0.01
/** The part of the calls that is assumed to stay at a higher price. */
const staying = 0.5

/** Prices that keep buyers away, or leave money behind; nothing where there is nothing to compare with. */
export function priceFindings(observed: Observed, monthlyCalls: number): readonly Finding[] {
  const price = priceOf(observed)
  if (price === undefined) return []
  const isPaid =
    observed.payments.tried.some(({ outcome }) => outcome === 'accepted') || observed.payments.untried.length > 0
  const isOverLimit = observed.payments.tried.some(({ outcome }) => outcome === 'over-limit')
  return [
    ...(isPaid || isOverLimit ? unitFindings(observed, price) : []),
    ...(!isPaid && isOverLimit && price < absurdUsd ? [overLimit(price)] : []),
    ...contradictions(observed, price),
    ...(isPaid ? kindFindings(observed, price, monthlyCalls) : []),
  ]
}

const mispriced = { lever: 'pricing', share: 0, verdict: 'mispriced' } as const

function unitFindings(observed: Observed, price: number): readonly Finding[] {
  const amount = quoted(describedOf(observed)?.raw['amount'] ?? describedOf(observed)?.raw['maxAmountRequired'])
  if (price >= absurdUsd) {
    return [
      {
        lever: 'envelope-fix',
        confidence: 'high',
        share: 0,
        verdict: 'broken-envelope',
        evidence: `The amount ${amount} is ${price} USD of a token with 6 decimals, as if it had been counted with 18. No client pays it, so the assumed calls bring nothing; what they should cost is not known.`,
        action: 'Multiply the price in dollars by 1,000,000, not by 10^18.',
      },
    ]
  }
  if (price >= trifleUsd) return []
  return [
    {
      ...mispriced,
      confidence: 'medium',
      evidence: `The amount ${amount} is ${describedOf(observed)?.priceUsd} USD, less than settling it costs: it looks as if it had been written in dollars or cents.`,
      action: 'Write the amount in atomic units: dollars times 1,000,000.',
    },
  ]
}

function overLimit(price: number): Finding {
  return {
    ...mispriced,
    confidence: 'high',
    evidence: `price_usd is ${price}, and an unmodified @x402 client refuses more than ${clientLimitUsd} USD a payment until its user raises the limit. No dollars are claimed: how many users have is not known.`,
    action: 'Sell in steps of at most 1 USD, or tell buyers beforehand to raise their limit.',
  }
}

/** An agent plans with the documented price; what differs from it is refused or begrudged. */
function contradictions({ documented, surfaces }: Observed, price: number): readonly Finding[] {
  const said = documented?.price
  if (said === undefined || (price > said.leastUsd - 1e-9 && price < said.mostUsd + 1e-9)) return []
  return [
    {
      ...mispriced,
      confidence: 'medium',
      share: price > said.mostUsd ? 0.1 : 0,
      evidence: `price_usd is ${price}, but GET ${surfaces.openapi.path} says ${said.text} for this path: agents that budget by the document ${price > said.mostUsd ? 'refuse to pay more' : 'expect to pay more'}.`,
      action: 'Make the 402 and x-payment-info say the same price; take both from one place.',
    },
  ]
}

function kindFindings({ envelope, endpoint }: Observed, price: number, monthlyCalls: number): readonly Finding[] {
  const kind = kindOf(`${envelope?.description ?? ''} ${endpoint.pathname}`)
  if (kind === undefined) return []
  const mean = kindPrices.meanUsd[kind]
  const reference = `Paid calls for ${kind} cost ${mean} USD on average (${kindPrices.day})`
  if (price > mean * farFromMean) {
    return [
      {
        ...mispriced,
        confidence: 'low',
        evidence: `price_usd is ${price}. ${reference}, more than ${farFromMean} times less. Demand at a lower price was not measured, so no dollars are claimed.`,
        action: 'Say in the description what is worth so much more, or offer a cheaper sample.',
      },
    ]
  }
  const aim = Math.min(commonUsd, mean)
  const extraUsd = monthlyCalls * (staying * aim - price)
  if (extraUsd < 0.01 || price * farFromMean > mean) return []
  return [
    {
      lever: 'pricing',
      confidence: 'low',
      share: 0,
      extraUsd,
      evidence: `price_usd is ${price}. ${reference}. By assumption half of ${monthlyCalls} calls stay at ${aim} USD and half leave: ${dollars(monthlyCalls * staying * aim)} instead of ${dollars(monthlyCalls * price)} USD a month.`,
      action: `Try ${aim} USD for a month and compare what comes in, not only the calls.`,
    },
  ]
}

function dollars(usd: number): string {
  return String(Math.round(usd * 100) / 100)
}
