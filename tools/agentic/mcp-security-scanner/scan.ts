import { findingOf } from './finding.ts'
import { ManifestTooLargeError, readManifest } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { checkGroups, rankOf, severities } from './model.ts'
import type { CheckGroup, Finding, Severity } from './model.ts'
import { quote } from './normalise.ts'
import { structureRules, textRules } from './rules/all.ts'
import { createReadings } from './reading.ts'
import { findInTexts } from './text.ts'
import { witnessModel } from './witness/model.ts'
import type { WitnessModel } from './witness/model.ts'
import { testimonyOf, weighed } from './witness/witness.ts'

export { ManifestTooLargeError }

/** The value is no manifest of any accepted shape. */
export class NothingToScanError extends Error {}

/** Where a manifest came from; its address is judged like any other the client would speak to. */
export type Origin = { readonly url: string; readonly isEndpoint: boolean }

type Summary = Readonly<Record<Severity, number>> & { readonly overallRisk: Exclude<Severity, 'info'> | 'clean' }

/** The result of one scan, worst findings first. */
export type ScanResult = {
  readonly serverName: string
  readonly toolCount: number
  readonly findings: readonly Finding[]
  readonly summary: Summary
}

const findingLimit = 250

/**
 * Scans a manifest of any accepted shape with the rules of the chosen groups; the same manifest gives the same result.
 * @throws {ManifestTooLargeError} when it is nested too deeply or has too many values.
 * @throws {NothingToScanError} when it is not a manifest.
 */
export function scan(root: unknown, checks: readonly CheckGroup[] = checkGroups, origin?: Origin): ScanResult {
  return scanWith(witnessModel(), root, checks, origin)
}

/** The same with a second witness that is given, such as one that has not seen what it is to judge. */
export function scanWith(
  witness: WitnessModel,
  root: unknown,
  checks: readonly CheckGroup[] = checkGroups,
  origin?: Origin,
): ScanResult {
  const manifest = withOrigin(readManifest(root), origin)
  if (!manifest.isRecognised) {
    throw new NothingToScanError('The manifest holds no tools, and no prompt, resource, program or address either.')
  }
  const wanted = new Set(checks.length === 0 ? checkGroups : checks)
  const readings = createReadings(manifest)
  const found = findInTexts(manifest, readings, textRules)
  const texts = weighed(found, testimonyOf(manifest, readings, witness), witness).filter(({ check }) =>
    wanted.has(check),
  )
  const structure = structureRules
    .filter((rule) => wanted.has(rule.check))
    .flatMap((rule) => Array.from(rule.find(manifest), (evidence) => findingOf(rule, evidence)))
  const findings = listed([...texts, ...structure])
  return {
    serverName: quote(manifest.serverName, 120),
    toolCount: manifest.tools.length,
    findings,
    summary: summaryOf(findings),
  }
}

/** A result with further findings in it, in their places. */
export function withFindings(result: ScanResult, more: readonly Finding[]): ScanResult {
  const findings = listed([...result.findings, ...more])
  return { ...result, findings, summary: summaryOf(findings) }
}

/** A result that is not of one manifest, such as of what several servers do to each other. */
export function resultOf(serverName: string, toolCount: number, found: readonly Finding[]): ScanResult {
  const findings = listed(found)
  return { serverName, toolCount, findings, summary: summaryOf(findings) }
}

/** The findings as the tool's answer spells them. */
export function answerOf({ serverName, toolCount, findings, summary }: ScanResult) {
  return {
    serverName,
    toolCount,
    findings: findings.map((finding) => ({
      severity: finding.severity,
      category: finding.check,
      title: finding.title,
      description: descriptionOf(finding),
      ...(finding.tool === undefined ? {} : { tool: finding.tool }),
      remediation: finding.remediation,
    })),
    summary,
  }
}

/** What was found, where, the excerpt and the references, in one fixed form. */
function descriptionOf({ detail, path, excerpt, references }: Finding): string {
  return `${detail} At ${path}: "${excerpt}" [${references.join(', ')}]`
}

/** Counts findings by severity; the overall risk is the worst of them, and information alone is clean. */
function summaryOf(findings: readonly Pick<Finding, 'severity'>[]): Summary {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  for (const finding of findings) counts[finding.severity] += 1
  const worst = severities.find((severity) => counts[severity] > 0)
  return { ...counts, overallRisk: worst === undefined || worst === 'info' ? 'clean' : worst }
}

/** Worst first, each once, and no more than a person would read. */
function listed(findings: readonly Finding[]): readonly Finding[] {
  const once = new Map(findings.map((finding) => [`${finding.ruleId} ${finding.path} ${finding.detail}`, finding]))
  const sorted = [...once.values()].toSorted((a, b) => rankOf(b.severity) - rankOf(a.severity))
  if (sorted.length <= findingLimit) return sorted
  const rest = sorted.length - findingLimit
  const [first] = sorted
  return [
    ...sorted.slice(0, findingLimit),
    {
      ruleId: 'more-findings',
      check: first?.check ?? 'schema-validation',
      severity: 'info',
      title: 'More findings than are listed',
      detail: `${rest} further findings, none worse than the ones above, are not listed.`,
      path: '$',
      excerpt: '',
      tool: undefined,
      remediation: 'Repair the listed findings and scan again.',
      references: [],
    },
  ]
}

function withOrigin(manifest: Manifest, origin: Origin | undefined): Manifest {
  if (origin === undefined) return manifest
  const remote = {
    name: manifest.serverName,
    path: 'manifestUrl',
    url: origin.url,
    kind: origin.isEndpoint ? 'streamable-http' : 'manifest',
    headers: [],
  }
  return { ...manifest, remotes: [...manifest.remotes, remote] }
}
