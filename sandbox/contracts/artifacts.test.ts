import { expect, it } from 'vitest'

import artifacts from './artifacts.json' with { type: 'json' }
import { hashSources, readSources } from './sources.ts'

it('the compiled contracts are those of the sources; `node sandbox/contracts/build.ts` makes them anew', () => {
  expect(artifacts.sourcesHash).toBe(hashSources(readSources()))
})
