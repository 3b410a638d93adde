/** Wallets whose keys everybody has: the demo wallets of the sandbox, and the first accounts of development chains. */
const publicKeys: ReadonlySet<string> = new Set([
  '0xe0cd90435a19f996630f21ca84e513d2fc1d419b',
  '0x440191ad2f3619090e441f426613a99eea972543',
  '0xdeca456e6550182c2ed8049c520ddcb4668d1d51',
  '0x689cbf3b660db65581d022c863e957cf5a8649e1',
  '0x97065b54bfbbdaf7086e4f4a96d0f055c0e7e5c6',
  '0x59199018c0bd86a247d9f23cceeaea1a40ecd260',
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
  '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
  '0x976ea74026e726554db657fa54763abd0c3a0aa9',
  '0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
  '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
  '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
])

const zero = `0x${'0'.repeat(40)}`
const burnt = '0x000000000000000000000000000000000000dead'

export type PayToFacts = { readonly asset: string; readonly isRealNetwork: boolean }

/** Why nobody should be paid at the address; undefined where nothing speaks against it. */
export async function faultOfPayTo(payTo: string, facts: PayToFacts): Promise<string | undefined> {
  const { getAddress } = await import('viem')
  const lower = payTo.toLowerCase()
  const digits = payTo.slice(2)
  // In one case only, an address carries no checksum.
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  const isMistyped = hasChecksum && getAddress(`0x${lower.slice(2)}`) !== payTo
  if (isMistyped) return 'its checksum (EIP-55) is wrong: a digit was mistyped'
  if (lower === zero) return 'it is the zero address, and what is sent there is lost'
  if (lower === burnt) return 'it is an address for burning, and what is sent there is lost'
  if (lower === facts.asset.toLowerCase())
    return 'it is the contract of the token itself, and what is sent there is lost'
  if (facts.isRealNetwork && publicKeys.has(lower)) return 'its key is public, so anybody can take what is paid'
  return undefined
}
