import { describe, expect, it } from 'vitest'

import { isPriced, mayRequirePayment, opensWithPass, probeNeedsPayment, usdOf } from './access.ts'
import type { Access } from './tool.ts'

/** Section 5 of the catalog's specification, and section 5 of that of the paid tools. */
const specification: readonly (readonly [
  access: Access,
  row: { readonly probe: 200 | 402; readonly money: boolean; readonly pass: boolean; readonly usd: string },
])[] = [
  [
    { mode: 'free', quotaPerDay: 50 },
    { probe: 200, money: false, pass: false, usd: '0' },
  ],
  [
    { mode: 'paid', usd: '0.01' },
    { probe: 402, money: true, pass: false, usd: '0.01' },
  ],
  [
    { mode: 'paid-or-pass', usd: '0.10' },
    { probe: 402, money: true, pass: true, usd: '0.10' },
  ],
  // Rule 3: a pass-only tool answers 402, and a payment of the listed price does not open it.
  [{ mode: 'pass' }, { probe: 402, money: false, pass: true, usd: '0' }],
  // Rule 4: a tiered tool answers the free shape with 200, and a payment or the pass adds to it.
  [
    { mode: 'tiered', usd: '0.005', freeTierNote: '' },
    { probe: 200, money: true, pass: true, usd: '0.005' },
  ],
]

describe('the table of access modes', () => {
  it.each(specification)('%o is opened as the specification says', (access, { probe, money, pass, usd }) => {
    expect(probeNeedsPayment(access)).toBe(probe === 402)
    expect(isPriced(access)).toBe(money)
    expect(opensWithPass(access)).toBe(pass)
    expect(usdOf(access)).toBe(usd)
  })

  it('lists a payment request for every tool but a free one', () => {
    expect(specification.map(([access]) => mayRequirePayment(access))).toEqual([false, true, true, true, true])
  })
})
