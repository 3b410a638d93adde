import { exfiltrationTextRules } from './exfiltration.ts'
import { privilegeEscalationTextRules } from './privilege-escalation.ts'
import { promptInjectionTextRules } from './prompt-injection.ts'
import { resourceAccessTextRules } from './resource-access.ts'
import type { StructureRule, TextRule } from './rule.ts'

export const textRules: readonly TextRule[] = [
  ...promptInjectionTextRules,
  ...exfiltrationTextRules,
  ...resourceAccessTextRules,
  ...privilegeEscalationTextRules,
]

export const structureRules: readonly StructureRule[] = []
