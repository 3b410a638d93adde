declare module 'secp256k1' {
  const secp256k1: {
    /** @throws Error where no public key belongs to the signature. */
    readonly ecdsaRecover: (
      signature: Uint8Array,
      recovery: number,
      digest: Uint8Array,
      compressed: boolean,
    ) => Uint8Array
    readonly ecdsaSign: (
      digest: Uint8Array,
      privateKey: Uint8Array,
    ) => { readonly signature: Uint8Array; readonly recid: number }
    readonly publicKeyCreate: (privateKey: Uint8Array, compressed: boolean) => Uint8Array
  }
  export default secp256k1
}
