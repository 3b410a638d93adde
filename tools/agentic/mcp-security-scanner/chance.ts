import { type Finding, rankOf, type Severity } from './model.ts'

/** From this many tools on, a manifest says so much that some of it sounds like an order by chance. */
const manyTools = 12

/** What is found by wording alone, and by nothing of its own kind. */
const byNumber = 'pi-many-signs'

/**
 * Weighs what was found in plain wording by how much wording there was: in a manifest of many tools one sentence that
 * reads like an attack counts a step less, unless rules of two check groups say so of the same text. What was disguised
 * was not written by chance, and neither is the worst.
 */
export function weighedByChance(findings: readonly Finding[], toolCount: number): readonly Finding[] {
  if (toolCount < manyTools) return findings
  const groups = new Map<string, Set<string>>()
  for (const { ruleId, check, severity, path } of findings) {
    if (ruleId === byNumber || rankOf(severity) < rankOf('medium')) continue
    groups.set(path, (groups.get(path) ?? new Set()).add(check))
  }
  return findings.map((finding) => {
    const isSeconded = finding.ruleId !== byNumber && (groups.get(finding.path)?.size ?? 0) > 1
    if (isSeconded || finding.isDisguised === true) return finding
    return { ...finding, severity: stepDown[finding.severity] ?? finding.severity }
  })
}

const stepDown: Readonly<Partial<Record<Severity, Severity>>> = { high: 'medium', medium: 'low' }
