import { randomBytes } from 'node:crypto'

/** Names for requests: a random part per process and a counter, so that they are unique and cheap. */
export function randomPrefix(): () => string {
  const prefix = randomBytes(5).toString('hex')
  let count = 0
  return () => `${prefix}-${(count += 1).toString(36)}`
}
