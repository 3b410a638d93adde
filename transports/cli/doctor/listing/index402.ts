import { index402Path } from '../../../../src/describe/documents.ts'
import { type Fault, fail, warn } from './fault.ts'
import { ask, type Seen } from './seen.ts'

/** 402index, which lists an address for whoever has put its claim there. */
export async function indexFaults({ base }: Seen): Promise<readonly Fault[]> {
  const answer = await ask(new URL(index402Path, base))
  if (answer?.status !== 200)
    return [
      warn('no claim', 'Ask 402index.io for one and set TOLLGATE_402INDEX_HASH; without it the entry is nobody’s.'),
    ]
  return /^[0-9a-f]{64}$/i.test(answer.text.trim())
    ? []
    : [fail('the claim is not a SHA-256 in hex', `${index402Path} must hold it and nothing else, as text/plain.`)]
}
