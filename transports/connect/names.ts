import { createHash } from 'node:crypto'

/** A tool of a connected server, before it has its name here. */
export type Named = { readonly url: URL; readonly name: string }

/** Longest name that every host takes. */
const longestName = 64

/**
 * Names under which the tools of several servers are offered, in the order given: their own where no other server has
 * the same, else with their server's in front. Names are unique, and of letters, digits, "_" and "-".
 */
export function namesOf(tools: readonly Named[]): readonly string[] {
  const labels = labelsOf([...new Set(tools.map(({ url }) => url.href))].map((href) => new URL(href)))
  const own = tools.map(({ name }) => plain(name))
  const taken = new Set<string>()
  return tools.map(({ url }, index) => {
    const name = own[index] ?? ''
    const shared = own.filter((other) => other === name).length > 1
    const wanted = fitted(shared ? `${labels.get(url.href) ?? ''}_${name}` : name)
    let unique = wanted
    for (let count = 2; taken.has(unique); count += 1) unique = fitted(`${wanted}_${count}`)
    taken.add(unique)
    return unique
  })
}

function plain(name: string): string {
  const cleaned = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_')
  return cleaned === '' ? 'tool' : cleaned
}

/** Cut where it is too long, with what keeps it apart from others that begin alike. */
function fitted(name: string): string {
  if (name.length <= longestName) return name
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, longestName - 9)}_${mark}`
}

/** A short name for each server: its host, and more of its address where hosts are the same. */
function labelsOf(urls: readonly URL[]): ReadonlyMap<string, string> {
  const ways: readonly ((url: URL) => string)[] = [
    ({ hostname }) => hostname,
    ({ host }) => host,
    ({ host, pathname }) => `${host}${pathname}`,
    ({ host, pathname, search }) => `${host}${pathname}${search}`,
  ]
  const labelled = (way: (url: URL) => string): readonly string[] =>
    urls.map((url) => plain(way(url)).replaceAll(/^_+|_+$/g, ''))
  const labels =
    ways.map(labelled).find((all) => new Set(all).size === all.length) ??
    labelled(({ host }) => host).map((label, index) => `${label}_${index + 1}`)
  return new Map(urls.map((url, index) => [url.href, labels[index] ?? '']))
}
