import { randomBytes } from 'node:crypto'

import type { Claim } from '../../src/store/store.ts'

export function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** A payment of its own, as the ledger claims it. */
export function claimOf(now: number, changes: Partial<Claim> = {}): Claim {
  return {
    id: hex(32),
    network: 'eip155:8453',
    asset: `0x${hex(20)}`,
    payer: `0x${hex(20)}`,
    nonce: `0x${hex(32)}`,
    amount: '10000',
    payTo: `0x${hex(20)}`,
    validBefore: Math.floor(now / 1_000) + 60,
    payloadHash: hex(32),
    opHash: hex(32),
    keyHash: null,
    tool: 'probe',
    settlement: '{"x402Version":2}',
    owner: 'me',
    leaseUntil: now + 10_000,
    now,
    ...changes,
  }
}
