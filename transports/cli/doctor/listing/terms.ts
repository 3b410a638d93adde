import { z } from 'zod'

import { parsedJson } from '../../../../src/platform/json.ts'
import { type Answer, firstIssue } from './seen.ts'

export const termsShape = z.looseObject({
  x402Version: z.number(),
  resource: z.looseObject({ url: z.string(), description: z.string().optional() }).optional(),
  accepts: z.array(z.looseObject({ scheme: z.string(), network: z.string(), payTo: z.string() })).min(1),
  extensions: z
    .looseObject({ bazaar: z.looseObject({ info: z.unknown(), schema: z.unknown() }).optional() })
    .optional(),
})

export const wrongTerms = 'An empty request must be answered with 402 and its terms, before its input is checked.'

/** Why an answer is not taken for a 402 of x402; undefined where it is. */
export function termsFault(answer: Answer | undefined): string | undefined {
  if (answer === undefined) return 'it does not answer'
  // Closed for the moment and open again by itself; or free, which is said apart.
  if (answer.status === 503 || answer.status === 200) return undefined
  if (answer.status !== 402) return `it answers ${answer.status} instead of 402`
  const shape = termsShape.safeParse(termsOf(answer))
  return shape.success ? undefined : `its terms: ${firstIssue(shape.error)}`
}

/** The terms of a 402: in the header (version 2), else in the body. */
export function termsOf(answer: Answer): unknown {
  const header = answer.headers.get('payment-required')
  return header === null ? answer.json : parsedJson(Buffer.from(header, 'base64').toString('utf8'))
}
