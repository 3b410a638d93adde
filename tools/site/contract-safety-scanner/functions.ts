/** What somebody with power over a contract may be able to do, told by the functions that do it. */
export type Power = 'mint' | 'blacklist' | 'pause' | 'fees' | 'trading' | 'upgrade' | 'roles' | 'renounce' | 'erc20'

/** Usual names of such functions. A contract can use others; what they do is then shown by trying, not by names. */
const signatures: Readonly<Record<Power, readonly string[]>> = {
  mint: ['mint(address,uint256)', 'mintTo(address,uint256)', 'issue(uint256)', 'ownerMint(address,uint256)'],
  blacklist: [
    'blacklist(address)',
    'unBlacklist(address)',
    'isBlacklisted(address)',
    'isBlackListed(address)',
    'addBlackList(address)',
    'removeBlackList(address)',
    'addBlacklist(address)',
    'addToBlacklist(address)',
    'setBlacklist(address,bool)',
    'setBlackList(address,bool)',
    'updateBlacklist(address,bool)',
    'blacklistAddress(address,bool)',
    'blacklistAccount(address,bool)',
    'blacklistAddresses(address[])',
    'denylist(address)',
    'setDenylist(address,bool)',
    'blockAccount(address)',
    'freeze(address)',
    'freezeAccount(address,bool)',
    'setFrozen(address,bool)',
    'isFrozen(address)',
    'setBot(address,bool)',
    'setBots(address[])',
    'setBots(address[],bool)',
    'addBot(address)',
    'addBots(address[])',
    'delBot(address)',
    'delBots(address[])',
    'blockBots(address[])',
    'manage_bots(address[],bool)',
    'bots(address)',
    'isBot(address)',
  ],
  pause: ['pause()', 'unpause()', 'paused()', 'setPaused(bool)', 'setPause(bool)', 'pauseTrading()'],
  fees: [
    'setFee(uint256)',
    'setFees(uint256,uint256)',
    'setFees(uint256,uint256,uint256)',
    'setBuyFee(uint256)',
    'setSellFee(uint256)',
    'setTaxes(uint256,uint256)',
    'setTax(uint256)',
    'setBuyTax(uint256)',
    'setSellTax(uint256)',
    'setTransferTax(uint256)',
    'setTaxFeePercent(uint256)',
    'setLiquidityFeePercent(uint256)',
    'updateFees(uint256,uint256)',
    'updateBuyFees(uint256,uint256,uint256)',
    'updateSellFees(uint256,uint256,uint256)',
    'setParams(uint256,uint256)',
    'reduceFee(uint256)',
    'excludeFromFees(address,bool)',
    'excludeFromFee(address)',
  ],
  trading: [
    'enableTrading()',
    'openTrading()',
    'startTrading()',
    'launch()',
    'setTrading(bool)',
    'setTradingEnabled(bool)',
    'setTradingActive(bool)',
    'tradingActive()',
    'tradingEnabled()',
    'tradingOpen()',
    'setMaxTx(uint256)',
    'setMaxTxAmount(uint256)',
    'setMaxTxPercent(uint256)',
    'updateMaxTxnAmount(uint256)',
    'setMaxWallet(uint256)',
    'setMaxWalletAmount(uint256)',
    'updateMaxWalletAmount(uint256)',
    'removeLimits()',
    'setSwapEnabled(bool)',
  ],
  upgrade: ['upgradeTo(address)', 'upgradeToAndCall(address,bytes)'],
  roles: ['grantRole(bytes32,address)', 'hasRole(bytes32,address)'],
  renounce: ['renounceOwnership()'],
  erc20: ['totalSupply()', 'balanceOf(address)', 'transfer(address,uint256)', 'transferFrom(address,address,uint256)'],
}

/** The powers that a list of selectors shows. A token is one only with all of its functions. */
export async function powersOf(selectors: ReadonlySet<string>): Promise<ReadonlySet<Power>> {
  const { toFunctionSelector } = await import('viem')
  const has = (signature: string): boolean => selectors.has(toFunctionSelector(`function ${signature}`))
  const found = new Set<Power>()
  for (const power of powers) {
    const names = signatures[power]
    if (power === 'erc20' ? names.every(has) : names.some(has)) found.add(power)
  }
  return found
}

const powers = ['mint', 'blacklist', 'pause', 'fees', 'trading', 'upgrade', 'roles', 'renounce', 'erc20'] as const
