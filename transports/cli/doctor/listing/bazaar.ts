import { cleanText } from '../../../../src/tool/text.ts'
import { type Fault, fail, warn } from './fault.ts'
import type { Seen } from './seen.ts'
import { termsOf, termsShape, wrongTerms } from './terms.ts'

/** What a facilitator's catalog takes from the terms when the first payment goes through it. */
export function bazaarFaults({ operations, terms, base }: Seen): readonly Fault[] {
  const faults: Fault[] = []
  const readable = operations.flatMap((operation) => {
    const answer = terms.get(operation)
    const shape = answer?.status === 402 ? termsShape.safeParse(termsOf(answer)) : undefined
    return shape?.success === true ? [{ operation, terms: shape.data }] : []
  })
  if (readable.length === 0) return [fail('no operation answers with terms', wrongTerms)]
  const bare = readable.filter(({ terms: one }) => one.extensions?.bazaar === undefined)
  if (bare.length > 0) {
    const [first] = bare
    faults.push(
      warn(
        `${bare.length} of ${readable.length} (${cleanText(first?.operation.path ?? '', 100)}) do not say what goes in: no extension "bazaar"`,
        'Those are paid, and not catalogued. Shorter examples make room for it.',
      ),
    )
  }
  const elsewhere = readable.filter(({ terms: one }) => hostOf(one.resource?.url) !== base.host)
  if (elsewhere.length > 0) {
    faults.push(
      fail(
        `${elsewhere.length} of ${readable.length} name another address: ${cleanText(elsewhere[0]?.terms.resource?.url ?? 'none', 200)}`,
        'Set TOLLGATE_PUBLIC_URL to the address that clients use.',
      ),
    )
  }
  const test = readable.filter(({ terms: one }) => one.accepts.every(({ network }) => testNetworks.has(network)))
  if (test.length > 0)
    faults.push(
      warn(`${test.length} of ${readable.length} take test money only`, 'Catalogs of real services leave them out.'),
    )
  return faults
}

const testNetworks: ReadonlySet<string> = new Set(['eip155:84532', 'base-sepolia', 'eip155:31337'])

function hostOf(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse(url) ? undefined : new URL(url).host
}
