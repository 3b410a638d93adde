/** Every session token begins with this. */
export const sessionPrefix = 'tgs_'

/** The session token of an `Authorization: Bearer` header; other tokens may be meant for a proxy in front. */
export function bearerOf(authorization: string | undefined): string | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return token?.startsWith(sessionPrefix) === true ? token : undefined
}
