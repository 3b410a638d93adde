import { z } from 'zod'

import { UpstreamError } from '../../errors.ts'
import type { BoundHttp } from '../http/bound.ts'

/** Something that somebody said in public. Author, text and address are text by third parties: untrusted. */
export type Post = {
  readonly id: string
  /** Without a leading `@`. */
  readonly author: string
  readonly text: string
  readonly createdAt: Date
  /** An https address. */
  readonly url: string
}

/** The feed of posts that the operator configured; there is no public one that may be asked. */
export type Posts = {
  /** Posts since a time that name one of the terms, newest first, each once. @throws UpstreamError */
  readonly search: (question: {
    readonly terms: readonly string[]
    readonly since: Date
    readonly now: Date
  }) => Promise<{
    readonly posts: readonly Post[]
    /** Whether the feed had more than is read: the oldest are missing. */
    readonly isCut: boolean
  }>
}

const page = z.looseObject({
  posts: z.array(
    z
      .looseObject({
        id: z.union([z.string().min(1).max(128), z.number().transform(String)]),
        author: z.string().min(1).max(128),
        text: z.string(),
        createdAt: z.string().optional(),
        created_at: z.string().optional(),
        url: z.string().max(512),
      })
      .nullable()
      .catch(null),
  ),
  next: z.string().min(1).max(512).nullish().catch(null),
})

const pageSize = 100
const maxPages = 20
const maxPageBytes = 4 * 1024 * 1024

export function createPosts({ http }: { readonly http: BoundHttp }): Posts {
  async function pageAt(query: URLSearchParams): Promise<z.output<typeof page>> {
    const { body } = await http.request({ path: `/posts?${query.toString()}`, maxBytes: maxPageBytes })
    const parsed = page.safeParse(body)
    if (!parsed.success) throw new UpstreamError('posts', undefined, { cause: parsed.error })
    return parsed.data
  }

  return {
    search: async ({ terms, since, now }) => {
      const found = new Map<string, Post>()
      const names = namesOneOf(terms)
      const question = { q: terms.map(quoted).join(' OR '), since: since.toISOString(), limit: String(pageSize) }
      let cursor: string | undefined
      for (let pages = 0; pages < maxPages; pages += 1) {
        const query = new URLSearchParams({ ...question, ...(cursor === undefined ? {} : { cursor }) })
        const { posts, next } = await pageAt(query)
        const read = posts.flatMap((post) => (post === null ? [] : (postOf(post) ?? [])))
        // Some odd rows are to be expected; a page of nothing else is another format than the one we read.
        if (posts.length > 0 && read.length === 0) throw new UpstreamError('posts')
        for (const post of read) {
          if (post.createdAt < since || post.createdAt > now) continue
          // A feed may search more loosely than we count.
          if (names(post.text) && !found.has(post.id)) found.set(post.id, post)
        }
        cursor = next === cursor ? undefined : (next ?? undefined)
        if (cursor === undefined) break
      }
      const posts = [...found.values()].toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
      return { posts, isCut: cursor !== undefined }
    },
  }
}

type Row = NonNullable<z.output<typeof page>['posts'][number]>

function postOf({ id, author, text, createdAt, created_at, url }: Row): Post | undefined {
  const at = new Date(createdAt ?? created_at ?? '')
  const address = URL.parse(url)
  if (Number.isNaN(at.getTime()) || address?.protocol !== 'https:') return undefined
  return { id, author: author.replace(/^@/, ''), text, createdAt: at, url: address.href }
}

function quoted(term: string): string {
  return /\s/.test(term) ? `"${term}"` : term
}

/**
 * Whether a text names one of the terms as a word of its own: `$TOLL` is not in `$TOLLS`. Case does not matter, but for
 * a term in capitals alone, which is an abbreviation or a symbol and may be an everyday word otherwise.
 */
function namesOneOf(terms: readonly string[]): (text: string) => boolean {
  const isExact = (term: string): boolean => /^[A-Z0-9]+$/.test(term)
  const patterns = [
    ...patternOf(terms.filter(isExact), 'u'),
    ...patternOf(
      terms.filter((term) => !isExact(term)),
      'iu',
    ),
  ]
  return (text) => patterns.some((pattern) => pattern.test(text))
}

function patternOf(terms: readonly string[], flags: string): readonly RegExp[] {
  if (terms.length === 0) return []
  const words = terms.map((term) =>
    term.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`),
  )
  return [new RegExp(String.raw`(?<![\p{L}\p{N}_$])(?:${words.join('|')})(?![\p{L}\p{N}_])`, flags)]
}
