import {
  concat,
  encodeDeployData,
  getCreate2Address,
  keccak256,
  parseAbi,
  serializeErc6492Signature,
  toHex,
} from 'viem'

import artifacts from '../../sandbox/contracts/artifacts.json' with { type: 'json' }
import { walletOf } from '../../sandbox/wallets.ts'

/** The deployer that every development chain has; its calldata is a salt and the code. */
const factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const salt = keccak256(toHex('a wallet of the access tests'))
const code = encodeDeployData({
  abi: parseAbi(['constructor(address owner)']),
  bytecode: artifacts.SmartWallet.bytecode as `0x${string}`,
  args: [walletOf('payer').address],
})

/** A contract wallet of the payer that has an address, and no code there yet. */
export const undeployedWallet = getCreate2Address({ from: factory, salt, bytecode: code })

/** ERC-6492: the signature, and how to deploy the wallet that accepts it. */
export function wrapped(signature: `0x${string}`): `0x${string}` {
  return serializeErc6492Signature({ address: factory, data: concat([salt, code]), signature })
}
