import { CallError } from '../errors.ts'

/** Arguments that their tool's schema has accepted, as JSON: in the order of their fields, and in the form of RFC 8785. */
export type WrittenInput = { readonly json: Uint8Array; readonly canonical: Uint8Array }

/** Input larger than this is read by a worker thread, not by the one that handles money. */
export const largestInline = 64 * 1024

/**
 * The input of a call that is too large to be read where money is handled. Another thread has read it and held it against
 * the schema of its tool; here it only passes through, as bytes.
 */
export class LargeInput {
  readonly slug: string
  readonly #outcome: WrittenInput | CallError

  constructor(slug: string, outcome: WrittenInput | CallError) {
    this.slug = slug
    this.#outcome = outcome
  }

  /** @throws CallError where the schema refused it. */
  get written(): WrittenInput {
    if (this.#outcome instanceof CallError) throw this.#outcome
    return this.#outcome
  }

  /** @throws CallError where the schema refused it. */
  assertAccepted(): void {
    if (this.#outcome instanceof CallError) throw this.#outcome
  }
}
