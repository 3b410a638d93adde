/**
 * Wallets that exchanges pay in and out with. An account's key, and so its address, is the same on every EVM chain, so
 * wallets published for Ethereum are theirs on Base too. Deposit addresses of single customers are not in the list.
 */
const published: Readonly<Record<string, readonly string[]>> = {
  // The exchange's proof of reserves, https://www.binance.com/en/proof-of-reserves.
  binance: [
    '0xf977814e90da44bfa03b6295a0616a897441acec',
    '0xbe0eb53f46cd790cd13851d5eff43d12404d33e8',
    '0x5a52e96bacdabb82fd05763e25335261b270efcb',
    '0x28c6c06298d514db089934071355e5743bf21d60',
    '0x9696f59e4d72e237be84ffd425dcad154bf96976',
    '0x21a31ee1afc51d94c2efccaa2092ad1028285549',
    '0xdfd5293d8e347dfe59e90efd55b2956a1343963d',
    '0x56eddb7aa87536c09ccc2793473599fd21a8b17f',
    '0x4976a4a02f38326660d17bf34b431dc6e2eb2327',
    // The busiest exchange wallet on Base; public labels name Binance or Coinbase, and an exchange in either case.
    '0x3304e22ddaa22bcdc5fca2269b418046ae7b566a',
  ],
  // The exchange's reserves as DefiLlama lists them, https://defillama.com/cex/bybit.
  bybit: [
    '0xf89d7b9c864f589bbf53a82105107622b35eaa40',
    '0xbaed383ede0e5d9d72430661f3285daa77e9439f',
    '0xa7a93fd0a276fc1c0197a5b5623ed117786eed06',
    '0xee5b5b923ffce93a870b3104b7ca09c3db80047a',
    '0x1db92e2eebc8e0c075a02bea49a2935bcd2dfcf4',
  ],
  // Public labels of the explorer, e.g. https://etherscan.io/accounts/label/coinbase.
  coinbase: [
    '0x71660c4005ba85c37ccec55d0c4493e66fe775d3',
    '0x503828976d22510aad0201ac7ec88293211d23da',
    '0xddfabcdc4d8ffc6d5beaf154f18b778f892a0740',
    '0x3cd751e6b0078be393132286c442345e5dc49699',
    '0xa9d1e08c7793af67e9d92fe308d5697fb81d3e43',
  ],
  gate: ['0x0d0707963952f2fba59dd06f2b425ace40b492fe'],
  kraken: [
    '0x2910543af39aba0cd09dbb2d50200b3e800a63d2',
    '0x267be1c1d684f78cb4f6a176c4911b741e4ffdc0',
    '0xf30ba13e4b04ce5dc4d254ae5fa95477800f0eb0',
  ],
  kucoin: ['0x2b5634c42055806a59e9107ed44d43c426e58258'],
  okx: ['0x6cc5f688a315f3dc28a7781717a9a798a59fda7b'],
}

/** Every known exchange wallet, in lower case. */
export const exchanges: ReadonlySet<string> = new Set(Object.values(published).flat())
