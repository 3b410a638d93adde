import { AsyncLocalStorage } from 'node:async_hooks'

import { headersOf } from './headers-of.ts'
import type { Post } from './post.ts'

const ids = new AsyncLocalStorage<string>()

/** Does work on behalf of a request; what it asks of outside services carries the name of that request. */
export function onBehalfOf<T>(requestId: string | undefined, work: () => T): T {
  return requestId === undefined ? work() : ids.run(requestId, work)
}

/** The name of the request on whose behalf the present work is done. */
export function presentRequestId(): string | undefined {
  return ids.getStore()
}

/**
 * A `fetch` for configured services that says on behalf of which request it asks, so that an operator finds a call of
 * ours in their logs. Answers that several calls share carry the name of the first.
 */
export function namingRequests(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const id = ids.getStore()
    if (id === undefined) return fetch(input, init)
    return fetch(input, { ...init, headers: { ...headersOf(init.headers), 'x-request-id': id } })
  }
}

/** The same for what is sent without a `fetch`. */
export function namingPosts(post: Post): Post {
  return (url, request, reader) => {
    const id = ids.getStore()
    if (id === undefined) return post(url, request, reader)
    return post(url, { ...request, headers: { ...request.headers, 'x-request-id': id } }, reader)
  }
}
