/** What an EIP-3009 authorization is signed as (EIP-712), in the form that wallets and viem take. */
export const authorizationTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const fields = authorizationTypes.TransferWithAuthorization.map(({ name, type }) => `${type} ${name}`)

/** The same type as EIP-712 hashes it. */
export const authorizationType = `TransferWithAuthorization(${fields.join(',')})`

/** The domain of a token, as EIP-712 hashes it. */
export const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
