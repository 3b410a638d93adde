import { existsSync } from 'node:fs'

import type { Tool } from '../../src/tool/tool.ts'

/** What a tool's tests in the sandbox need to know of it; the default export of the `sample.ts` beside it. */
export type Sample = {
  /** What it is asked there; as text that a query can carry, where the tool answers GET. */
  readonly input: Readonly<Record<string, unknown>>
  /** What it is asked where a test looks at how a call is paid for, and `input` takes long. */
  readonly small?: Readonly<Record<string, unknown>>
  /** The file in its `fixtures` in which that is answered, for a test that runs a tool tens of times. */
  readonly smallWorld?: string
  /**
   * What it asks the chain for a first answer, by method: many reads are one `eth_call` to the multicall contract, and
   * one more follows only where its question depends on what the last one said.
   */
  readonly chain?: Readonly<Record<string, number>>
  readonly published?: Published
}

/** Places in the answer to a published example, as JSON pointers. */
export type Published = {
  /** What is the same as published when the sandbox is asked. */
  readonly sandbox?: readonly string[]
  /** What is the same as published in the real world. */
  readonly world?: readonly string[]
  /**
   * That the sandbox has nothing of what the examples are about, and cannot have it, such as the block of a past day:
   * `input` is asked there in their place, and the shape of its answer compared.
   */
  readonly elsewhere?: true
  /** Where lists may be empty at some moments, or members depend on what is watched. */
  readonly mayDiffer?: readonly string[]
}

/** The sample beside a tool; its first example where it has none. */
export async function sampleOf({ family, slug, examples }: Tool): Promise<Sample> {
  const file = new URL(`../../tools/${family}/${slug}/sample.ts`, import.meta.url)
  if (!existsSync(file)) return { input: Object(examples[0]?.input ?? {}) as Sample['input'] }
  const { default: sample } = (await import(file.href)) as { readonly default: Sample }
  return sample
}

/** The samples of some tools by their slugs. */
export async function samplesOf(tools: readonly Tool[]): Promise<Readonly<Record<string, Sample>>> {
  return Object.fromEntries(await Promise.all(tools.map(async (tool) => [tool.slug, await sampleOf(tool)] as const)))
}
