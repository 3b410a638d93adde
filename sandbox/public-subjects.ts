/**
 * What the published examples ask about: it really exists, is known to everybody, and will stay. The sandbox knows the
 * same things under the same names; what it says of them is made up, and marked so where an answer has room for it.
 */
export const publicSubjects = {
  /** A person whose name and address everybody knows. */
  person: { name: 'vitalik.eth', address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' },
  /**
   * A contract that trades for others, and lets exchanges spend what it holds: LI.FI's, at the same address on every
   * chain.
   */
  trader: '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE',
  /** The account that launched the first tokens of the launchpad, as its documentation names it. */
  launcher: '0xC204af95b0307162118f7Bc36a91c9717490AB69',
  repository: { owner: 'expressjs', name: 'express' },
  collection: { slug: 'boredapeyachtclub', contract: '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d' },
  /** A collection whose items are bound to agents. */
  agentCollection: 'normies',
  market: {
    event: 'presidential-election-winner-2024',
    slug: 'will-donald-trump-win-the-2024-us-presidential-election',
  },
} as const
