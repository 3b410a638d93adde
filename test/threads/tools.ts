import { z } from 'zod'

import { defineTool, type Tool } from '../../src/tool/tool.ts'

const toolNamed = (slug: string, foreignData: boolean): Tool =>
  defineTool({
    family: 'site',
    slug,
    name: slug,
    version: '1.0.0',
    description: 'Does what it is told, for a test of threads.',
    tags: ['test'],
    methods: ['POST'],
    preferredMethod: 'POST',
    access: { mode: 'free' },
    latencySlaMs: 1_000,
    freshness: { mode: 'live' },
    sources: ['https://example.org'],
    input: z.strictObject({ how: z.string(), ms: z.number().optional() }),
    output: z.strictObject({ how: z.string() }),
    examples: [],
    ...(foreignData ? { foreignData: true as const } : {}),
    run: () => ({ how: 'never here' }),
  })

/** Tools that take long, eat memory or end their thread; the first two share a thread. */
export const misbehaving = [
  toolNamed('own-one', false),
  toolNamed('own-two', false),
  toolNamed('foreign-one', true),
  toolNamed('foreign-two', true),
] as const
