import type { Marked } from './entities.ts'
import { amountOf } from './numbers.ts'

const mark = String.raw`[\ue000-\uf8ff]`
const unpaidWords = [
  'without (?:paying|payment|spending|cost)(?: anything| a cent| money)?|for free|free of charge|at no cost|at zero cost',
  'no cost|for nothing|(?:only |just )?free tools(?: only)?|free only|only free(?: ones)?|no (?:payments?|spending)',
  "(?:i )?(?:do not|don't|won't) (?:want to )?(?:pay|spend)(?: anything| money)?",
  String.raw`free(?=(?:\s+\w+){1,4}\s+(?:lookup|api|apis|source|sources|service|services|endpoint|endpoints)\b)`,
].join('|')
const unpaid = new RegExp(String.raw`\b(?:${unpaidWords})\b`, 'gi')
const limitWords = [
  String.raw`budget(?:\s+(?:of|is|at|limit|max))*`,
  String.raw`spend(?:ing)?\s+(?:at most|no more than|not more than|up to|max(?:imum)?|less than|under|only)`,
  String.raw`i(?:'ve)?\s+(?:only\s+)?(?:got|have)(?:\s+only)?`,
  String.raw`(?:for|costing|cost|costs)\s+(?:at most|no more than|up to|less than|under|below|max)`,
  String.raw`within|no more than|cap(?:ped)?\s+(?:at|of)|max(?:imum)?\s+(?:spend|cost|budget|price)(?:\s+(?:of|is))?`,
].join('|')
const beforeLimit = String.raw`,?\s*(?:\b(?:with|on|within|for|using|and|my|a|the|total)\s+)*`
const afterLimit = String.raw`(?:\s*(?:budget|in total|total|altogether|overall|at most|max))?`
const limited = new RegExp(String.raw`${beforeLimit}\b(?:${limitWords})\s*(${mark})${afterLimit}`, 'gi')

/** Takes what a sentence says of money to spend out of it. */
export function withoutBudget({ text, found }: Marked): {
  readonly text: string
  readonly budgetUsd: number | undefined
} {
  const amounts: number[] = []
  const rest = text
    .replaceAll(limited, (whole: string, character: string) => {
      const entity = found[character.charCodeAt(0) - 0xe000]
      if (entity?.kind !== 'usd') return whole
      amounts.push(amountOf(entity.value))
      return ' '
    })
    .replaceAll(unpaid, () => {
      amounts.push(0)
      return ' '
    })
  return { text: rest, budgetUsd: amounts.length === 0 ? undefined : Math.min(...amounts) }
}
