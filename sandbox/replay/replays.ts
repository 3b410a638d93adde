import { bankr } from './bankr.ts'
import { blockscout } from './blockscout.ts'
import { clanker } from './clanker.ts'
import { clob } from './clob.ts'
import { coingecko } from './coingecko.ts'
import { defiLlama } from './defillama.ts'
import { depsDev } from './depsdev.ts'
import { dexScreener } from './dexscreener.ts'
import { gamma } from './gamma.ts'
import { geckoTerminal } from './geckoterminal.ts'
import { github } from './github.ts'
import { llama } from './llama.ts'
import { mainnet, nameGateway } from './mainnet.ts'
import { openSea } from './opensea.ts'
import { posts } from './posts.ts'
import type { Replay, Site } from './replay.ts'
import { scorecard } from './scorecard.ts'
import { sourcify } from './sourcify.ts'
import { shopSites } from './web.ts'

/** Every outside service that the sandbox stands in for; a new one is a file beside this one and a line here. */
export const replays: readonly Replay[] = [
  bankr,
  blockscout,
  clanker,
  clob,
  coingecko,
  defiLlama,
  depsDev,
  dexScreener,
  gamma,
  geckoTerminal,
  github,
  llama,
  mainnet,
  openSea,
  posts,
  scorecard,
  sourcify,
]

/** Every site of the public web that the sandbox stands in for. */
export const sites: readonly Site[] = [...shopSites, nameGateway]
