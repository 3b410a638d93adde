import { exfiltrationStructureRules, exfiltrationTextRules } from './exfiltration.ts'
import { privilegeEscalationStructureRules, privilegeEscalationTextRules } from './privilege-escalation.ts'
import { promptInjectionStructureRules, promptInjectionTextRules } from './prompt-injection.ts'
import { resourceAccessStructureRules, resourceAccessTextRules } from './resource-access.ts'
import type { StructureRule, TextRule } from './rule.ts'
import { schemaValidationRules } from './schema-validation.ts'
import { scopePermissionRules } from './scope-permissions.ts'
import { transportSecurityRules } from './transport-security.ts'

/** Rules about words, which one reading of every text serves. */
export const textRules: readonly TextRule[] = [
  ...promptInjectionTextRules,
  ...exfiltrationTextRules,
  ...resourceAccessTextRules,
  ...privilegeEscalationTextRules,
]

/** Rules about the make of a manifest, each of which reads the parts it needs. */
export const structureRules: readonly StructureRule[] = [
  ...promptInjectionStructureRules,
  ...exfiltrationStructureRules,
  ...resourceAccessStructureRules,
  ...privilegeEscalationStructureRules,
  ...schemaValidationRules,
  ...transportSecurityRules,
  ...scopePermissionRules,
]
