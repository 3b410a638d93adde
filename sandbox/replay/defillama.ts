import type { Replay } from './replay.ts'

/** Invented protocols of real kinds: what they hold, and how that changed in a week. */
const protocols = [
  ['Harbour Lend', 'Lending', 9_400_000_000, 1.2],
  ['Quay Swap', 'Dexs', 5_200_000_000, 0.4],
  ['Anchor Restake', 'Restaking', 3_100_000_000, -7.9],
  ['Liquid Anchor', 'Liquid Restaking', 1_700_000_000, -9.1],
  ['Lighthouse Odds', 'Prediction Market', 420_000_000, 5.6],
  ['Dock Treasuries', 'RWA', 2_600_000_000, 4.3],
  ['Tide Perps', 'Derivatives', 1_900_000_000, 0.9],
  ['Sluice', 'Launchpad', 88_000_000, 2.1],
] as const

/** DefiLlama's list of protocols. */
export const defiLlama: Replay = {
  name: 'DEFILLAMA',
  notFound: { message: 'Not Found' },
  answer({ path }) {
    if (path !== '/protocols') return undefined
    const body = protocols.map(([name, category, tvl, change_7d], index) => ({
      id: String(index + 1),
      name,
      category,
      chain: 'Base',
      chains: ['Base'],
      tvl,
      change_1d: change_7d / 7,
      change_7d,
    }))
    return { status: 200, body }
  },
}
