import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { OwnToolModules } from './load.ts'

/** The modules for own tools, which lie beside the program: `.ts` in the sources, `.js` in the built package. */
export function ownToolModules(program: string): OwnToolModules {
  const ending = extname(fileURLToPath(program))
  return {
    library: new URL(`library${ending}`, program),
    hooks: new URL(`own-tool-hooks${ending}`, program),
  }
}
