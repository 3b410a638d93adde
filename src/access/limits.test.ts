import { describe, expect, it } from 'vitest'

import { CallError } from '../errors.ts'
import { defaultLimits } from '../platform/limits.ts'
import { createDenyList, createLimits, isOwnNetwork } from './limits.ts'

let now = 1_700_000_000_000
const clock = { now: () => now, sleep: async () => {} }
const limitsOf = () => createLimits({ clock, table: { ...defaultLimits, challenges: { perSecond: 2, burst: 10 } } })

const isRefused = (limits: ReturnType<typeof limitsOf>, address: string): boolean => {
  try {
    limits.of(address).require('challenges')
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(CallError)
    expect(error).toMatchObject({ code: 'too_many_calls', charged: false })
    return true
  }
}

const spend = (limits: ReturnType<typeof limitsOf>, address: string, times: number): void => {
  for (let index = 0; index < times; index += 1) limits.of(address).spend('challenges')
}

describe('limits per address', () => {
  it('lets a burst through, then as much as the rate allows', () => {
    const limits = limitsOf()
    spend(limits, '198.51.100.1', 10)
    expect(isRefused(limits, '198.51.100.1')).toBe(true)
    expect(isRefused(limits, '198.51.100.2')).toBe(false)
    now += 500
    expect(isRefused(limits, '198.51.100.1')).toBe(false)
    spend(limits, '198.51.100.1', 1)
    expect(isRefused(limits, '198.51.100.1')).toBe(true)
  })

  it('says how long to wait, and serves who waited that long', () => {
    const limits = limitsOf()
    spend(limits, '198.51.100.3', 14)
    let wait = 0
    try {
      limits.of('198.51.100.3').require('challenges')
    } catch (error) {
      wait = error instanceof CallError ? (error.retryAfterSeconds ?? 0) : 0
      expect(error).toMatchObject({ headers: { ratelimit: `"challenges";r=0;t=${wait}` } })
    }
    expect(wait).toBeGreaterThan(0)
    now += wait * 1_000
    expect(isRefused(limits, '198.51.100.3')).toBe(false)
  })

  it('counts an IPv6 network as one caller, with room for more than one', () => {
    const limits = limitsOf()
    // Every /64 of one /56 in turn: none of them uses up its own allowance.
    for (let index = 0; index < 200; index += 1) {
      const address = `2001:db8:1:${(index % 256).toString(16)}::1`
      if (isRefused(limits, address)) {
        expect(index).toBe(40)
        return
      }
      limits.of(address).spend('challenges')
    }
    expect.unreachable('65,536 networks of one customer had 65,536 allowances')
  })

  it('keeps a debt that can be paid off', () => {
    const limits = limitsOf()
    spend(limits, '198.51.100.4', 100_000)
    now += 10_000
    expect(isRefused(limits, '198.51.100.4')).toBe(false)
  })

  it('is not fooled by a clock that goes back', () => {
    const limits = limitsOf()
    spend(limits, '198.51.100.5', 10)
    now -= 3_600_000
    expect(isRefused(limits, '198.51.100.5')).toBe(true)
    now += 3_600_000
  })
})

describe('the list of addresses that are not served', () => {
  it('holds addresses and networks of both kinds, in every spelling', () => {
    const isDenied = createDenyList(['203.0.113.7', '198.51.100.0/24', '2001:db8::/32'])
    for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '198.51.100.200', '2001:db8:ffff::1']) {
      expect(isDenied(address), address).toBe(true)
    }
    for (const address of ['203.0.113.8', '2001:db9::1', '', 'nonsense']) expect(isDenied(address), address).toBe(false)
  })

  it('knows the operator’s own networks', () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '192.168.1.1', 'fd00::1']) {
      expect(isOwnNetwork(address), address).toBe(true)
    }
    expect(isOwnNetwork('8.8.8.8')).toBe(false)
  })
})
