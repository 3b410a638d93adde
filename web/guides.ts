import { paths } from '../src/tool/urls.ts'
import { buildGuides, type Guide } from './build-guides.ts'

export type { Guide }

let made: readonly Guide[] | undefined

/** Every guide, in the order of the list; made when they are first asked for, and the package has them ready made. */
export function loadGuides(): readonly Guide[] {
  made ??= buildGuides()
  return made
}

/** Where programs read what people read here. */
export const forPrograms = [
  [paths.rootOpenapi, 'OpenAPI 3.1, every call with its price'],
  [paths.llms, 'for language models, in one text'],
  [paths.manifest, 'the manifest'],
] as const
