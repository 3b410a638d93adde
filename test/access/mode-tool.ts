import { z } from 'zod'

import { type Access, defineTool, type Tool, type ToolContext } from '../../src/tool/tool.ts'

export const modes = ['free', 'paid', 'paid-or-pass', 'pass', 'tiered'] as const
export type Mode = (typeof modes)[number]

const accessOf: Readonly<Record<Mode, Access>> = {
  free: { mode: 'free' },
  paid: { mode: 'paid', usd: '0.01' },
  'paid-or-pass': { mode: 'paid-or-pass', usd: '0.01' },
  pass: { mode: 'pass' },
  tiered: { mode: 'tiered', usd: '0.01', freeTierNote: 'Less of it.' },
}

/** A tool that tells how its caller was let in, and with whose pass. */
export function modeTool(
  slug: string,
  mode: Mode,
  family: 'agentic' | 'site',
  methods: readonly ('GET' | 'POST')[] = ['GET', 'POST'],
): Tool {
  const common = {
    slug,
    name: `Mode ${slug}`,
    version: '1.0.0',
    description: 'Tells how the caller was let in. Call it in tests only.',
    tags: ['test'],
    access: accessOf[mode],
    latencySlaMs: 5_000,
    freshness: { mode: 'live' },
    sources: [],
    input: z.strictObject({ text: z.string().max(100).optional() }),
    output: z.strictObject({ entry: z.string(), passHolder: z.string().optional() }),
    examples: [{ input: { text: 'a' }, output: { entry: 'free' } }],
    run: (_input: unknown, { entry, passHolder }: Pick<ToolContext, 'entry' | 'passHolder'>) => ({ entry, passHolder }),
  } as const
  return family === 'agentic'
    ? defineTool({ ...common, family, category: 'test' })
    : defineTool({ ...common, family, methods, preferredMethod: methods.at(-1) ?? 'POST' })
}
