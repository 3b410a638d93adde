export const mostSlugs = 5

type Asked = {
  readonly slug?: string | readonly string[] | undefined
  readonly slugs?: readonly string[] | undefined
}

/** The collections asked for, each once, in their order: commas separate, and both fields count. */
export function slugsOf({ slug, slugs }: Asked): readonly string[] {
  const texts = [slug ?? [], slugs ?? []].flat()
  const parts = texts.flatMap((text) => text.split(',')).map((part) => part.trim().toLowerCase())
  return [...new Set(parts.filter((part) => part !== ''))]
}

/** What is wrong with the question: a sentence without its full stop, as the rules of a schema are told. */
export function faultOf(asked: Asked): string | undefined {
  const slugs = slugsOf(asked)
  if (slugs.length === 0) return 'Name at least one collection by its OpenSea slug, such as "doodles-official"'
  if (slugs.length > mostSlugs) return `Name at most ${mostSlugs} collections in one call`
  const odd = slugs.find((slug) => !/^[a-z0-9-]{1,120}$/.test(slug))
  if (odd === undefined) return undefined
  return 'A slug is the last part of a collection’s OpenSea address: letters, digits and hyphens'
}
