import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'

import type { Wallet } from './sandbox-process.ts'

/** The `Authorization` header by which a wallet signs in to a server. */
export async function siweOf(wallet: Wallet, baseUrl: string): Promise<string> {
  const message = createSiweMessage({
    address: wallet.address,
    chainId: 8453,
    domain: new URL(baseUrl).host,
    uri: baseUrl,
    version: '1',
    nonce: generateSiweNonce(),
    issuedAt: new Date(),
    expirationTime: new Date(Date.now() + 300_000),
  })
  const signature = await privateKeyToAccount(wallet.privateKey).signMessage({ message })
  return `SIWE ${Buffer.from(message).toString('base64url')}.${signature}`
}
