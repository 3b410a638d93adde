import published from './exchanges.json' with { type: 'json' }

/**
 * Wallets that exchanges pay in and out with, in lower case. An account's key, and so its address, is the same on every
 * EVM chain, so wallets published for Ethereum are theirs on Base too. Deposit addresses of single customers are not in
 * the list.
 */
export const exchanges: ReadonlySet<string> = new Set(published.rows.flatMap(({ addresses }) => addresses))

/** The day on which the oldest part of the list was last compared with its source. */
export const exchangesReadOn: string = published.rows.map(({ verifiedAt }) => verifiedAt).toSorted()[0] ?? ''
