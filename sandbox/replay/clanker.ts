import { publicSubjects } from '../public-subjects.ts'
import { walletOf } from '../wallets.ts'
import { assets } from './market.ts'
import { segmentsOf, type Replay } from './replay.ts'

/**
 * The launchpad's deployer: in the sandbox the holder, or the launchpad's own account, launched the tokens that trade
 * there, and one that nobody wanted.
 */
export const clanker: Replay = {
  name: 'CLANKER',
  notFound: { error: 'Not found' },
  answer({ path, query }, { now }) {
    const [api, list] = segmentsOf(path)
    if (api !== 'api' || list !== 'tokens') return undefined
    const sender = query.get('msgSender')?.toLowerCase()
    const data = launchers.some((one) => one.toLowerCase() === sender) ? launched(now) : []
    return { status: 200, body: { data, total: data.length, cursor: '', sandbox: true } }
  },
}

const launchers = [walletOf('holder').address, publicSubjects.launcher]

function launched(now: Date): readonly Record<string, unknown>[] {
  const traded = assets.filter((asset) => asset.symbol !== 'USDC' && asset.symbol !== 'WETH')
  const rows = [
    ...traded.map((asset) => ({ address: asset.address, name: asset.name, symbol: asset.symbol })),
    { address: `0x${'5eed'.repeat(10)}`, name: 'Forgotten Buoy', symbol: 'BUOY' },
  ]
  return rows.map((row, index) => ({
    contract_address: row.address,
    name: row.name,
    symbol: row.symbol,
    deployed_at: new Date(now.getTime() - (index + 3) * 86_400_000).toISOString(),
    img_url: `https://images.example/${row.symbol.toLowerCase()}.png`,
    related: { user: { username: 'harbourmaster' } },
  }))
}
