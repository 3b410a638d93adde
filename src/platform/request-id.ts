/** Names for requests: a random part per process and a counter, so that they are unique and cheap. */
export function randomPrefix(): () => string {
  // Taken at the first use: cryptography takes a while to load, and a start that is asked nothing needs none.
  let prefix: string | undefined
  let count = 0
  return () => {
    prefix ??= Buffer.from(crypto.getRandomValues(new Uint8Array(5))).toString('hex')
    return `${prefix}-${(count += 1).toString(36)}`
  }
}
