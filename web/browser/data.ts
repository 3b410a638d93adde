import type { PageData } from '../page-data.ts'
import { find, isRecord, parsed } from './dom.ts'

/** What the server wrote into this page. @throws where it wrote something else. */
export function pageData(): PageData {
  const value = parsed(find('#page-data', HTMLElement).textContent)
  if (!isPageData(value)) throw new Error('The page does not hold what its code needs.')
  return value
}

/** This code came from the server that wrote the data, so looking at two members is enough. */
function isPageData(value: unknown): value is PageData {
  return isRecord(value) && typeof value['slug'] === 'string' && Array.isArray(value['playWallets'])
}
