import { hexOf, zeroAddress } from '../tool/words.ts'

/** Wallets whose keys everybody has: the demo wallets of the sandbox, and the first accounts of development chains. */
const publicKeys: ReadonlySet<string> = new Set([
  '0xe0cd90435a19f996630f21ca84e513d2fc1d419b',
  '0x440191ad2f3619090e441f426613a99eea972543',
  '0xdeca456e6550182c2ed8049c520ddcb4668d1d51',
  '0x689cbf3b660db65581d022c863e957cf5a8649e1',
  '0x97065b54bfbbdaf7086e4f4a96d0f055c0e7e5c6',
  '0x59199018c0bd86a247d9f23cceeaea1a40ecd260',
  '0xc8b85430d8623cd32c4d3314aa64a226bc894b46',
  '0xba13df464ec67f12e608240e2b6a8879f6df7a91',
  '0xa3ad669501000487d23fc4df83ccc754aceef9e9',
  '0x1d2da750fa234a36f4389e672a7af4b0faf13888',
  '0x6bfadc31caf94d83e5dc706f6829bdf5501691eb',
  '0x716f906ab3ab06ea4496560b7133bb44ce5f80f3',
  '0x1c65aa052a03aa2a1c682300508e460450daf9ba',
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
  '0xbcd4042de499d14e55001ccbb24a551f3b954096',
  '0x71be63f3384f5fb98995898a86b02fb2426c5788',
  '0xfabb0ac9d68b0b445fb7357272ff202c5651694a',
  '0x1cbd3b2770909d4e10f157cabc84c7264073c9ec',
  '0xdf3e18d64bc6a983f673ab319ccae4f1a57c7097',
  '0xcd3b766ccdd6ae721141f452c550ca635964ce71',
  '0x2546bcd3c84621e976d8185a91a922ae77ecec30',
  '0xbda5747bfd65f08deb54cb465eb87d40e51b197e',
  '0xdd2fd4581271e230360230f9337d5c0430bf44c0',
  '0x8626f6940e2eb28930efb4cef49b2d1f2c9c1199',
])

const burnt = '0x000000000000000000000000000000000000dead'

export type PayToFacts = { readonly asset: string; readonly isRealNetwork: boolean }

/** Why nobody should be paid at the address; undefined where nothing speaks against it. */
export async function faultOfPayTo(payTo: string, facts: PayToFacts): Promise<string | undefined> {
  const { getAddress } = await import('viem')
  const lower = payTo.toLowerCase()
  const digits = payTo.slice(2)
  // In one case only, an address carries no checksum.
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  const isMistyped = hasChecksum && getAddress(hexOf(lower)) !== payTo
  if (isMistyped) return 'its checksum (EIP-55) is wrong: a digit was mistyped'
  if (lower === zeroAddress) return 'it is the zero address, and what is sent there is lost'
  if (lower === burnt) return 'it is an address for burning, and what is sent there is lost'
  if (lower === facts.asset.toLowerCase())
    return 'it is the contract of the token itself, and what is sent there is lost'
  if (facts.isRealNetwork && publicKeys.has(lower)) return 'its key is public, so anybody can take what is paid'
  return undefined
}
