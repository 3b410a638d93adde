import type { Evidence, Finding, RuleFacts } from './model.ts'
import { quote } from './normalise.ts'

/** Joins what a rule says about itself with what it saw. */
export function findingOf(rule: RuleFacts, evidence: Evidence): Finding {
  return {
    ruleId: rule.id,
    check: rule.check,
    severity: evidence.severity ?? rule.severity,
    title: rule.title,
    detail: evidence.detail ?? rule.meaning,
    path: evidence.path,
    excerpt: quote(evidence.text),
    tool: evidence.tool === undefined || evidence.tool === '' ? undefined : quote(evidence.tool, 120),
    remediation: rule.remediation,
    references: rule.references,
  }
}
