import { rankOf, severities } from './model.ts'
import type { Finding, RuleFacts, Severity } from './model.ts'
import { acrossRules } from './across.ts'
import { changeRules } from './against.ts'
import { lockRules } from './lock.ts'
import { structureRules, textRules } from './rules/all.ts'
import type { ScanResult } from './scan.ts'
import { witnessRules } from './witness/witness.ts'

/** A result, and what was scanned as the report names it: a path, an address or a server of a configuration. */
export type Scan = { readonly source: string; readonly result: ScanResult }

type ReportOptions = { readonly source: string; readonly version: string }

const levels = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
} as const satisfies Record<Severity, string>

// Code hosts rank security results by this number, on the scale of CVSS.
const scores = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '3.0',
  info: '0.0',
} as const satisfies Record<Severity, string>

/** The scan as a person reads it in a terminal; texts of the manifest have their invisible characters shown. */
export function textReport(result: ScanResult, { source }: Pick<ReportOptions, 'source'>): string {
  const { serverName, toolCount, summary } = result
  const counts = severities.map((severity) => `${summary[severity]} ${severity}`).join(', ')
  const head = [
    `${source}: server "${serverName}", ${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}`,
    `Overall risk: ${summary.overallRisk} (${counts})`,
  ]
  return [...head, ...result.findings.map(paragraphOf)].join('\n\n').replace('\n\n', '\n').concat('\n')
}

function paragraphOf(finding: Finding): string {
  const tool = finding.tool === undefined ? '' : ` (tool ${finding.tool})`
  return [
    `${finding.severity.toUpperCase().padEnd(8)} ${finding.title}${tool}`,
    `         ${finding.detail}`,
    `         At      ${finding.path}`,
    ...(finding.excerpt === '' ? [] : [`         Says    "${finding.excerpt}"`]),
    `         Remedy  ${finding.remediation}`,
    `         Rule    ${finding.ruleId}, ${finding.check}${finding.references.length === 0 ? '' : `, ${finding.references.join(', ')}`}`,
  ].join('\n')
}

/** Scans in SARIF 2.1.0, for code hosts and editors: a run for each. */
export function sarifReport(scans: readonly Scan[], version: string) {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0' as const,
    runs: scans.map(({ source, result }) => runOf(result, { source, version })),
  }
}

function runOf(result: ScanResult, { source, version }: ReportOptions) {
  const used = new Set(result.findings.map((finding) => finding.ruleId))
  const rules = [...textRules, ...structureRules, ...witnessRules, ...changeRules, ...lockRules, ...acrossRules].filter(
    (rule) => used.has(rule.id),
  )
  const listed = result.findings.filter((finding) => rules.some((rule) => rule.id === finding.ruleId))
  return {
    tool: { driver: { name: 'Tollgate MCP Security Scanner', version, rules: rules.map(descriptorOf) } },
    columnKind: 'utf16CodeUnits' as const,
    results: listed.map((finding) => ({
      ruleId: finding.ruleId,
      ruleIndex: rules.findIndex((rule) => rule.id === finding.ruleId),
      level: levels[finding.severity],
      message: { text: messageOf(finding) },
      locations: [
        {
          // The manifest has no lines that mean anything; the JSON path is the place.
          physicalLocation: { artifactLocation: { uri: uriOf(source) }, region: { startLine: 1 } },
          logicalLocations: [{ fullyQualifiedName: finding.path, kind: 'member' }],
        },
      ],
      partialFingerprints: { 'ruleAndPath/v1': `${finding.ruleId}:${finding.path}` },
      properties: {
        severity: finding.severity,
        category: finding.check,
        ...(finding.tool === undefined ? {} : { tool: finding.tool }),
      },
    })),
    properties: { serverName: result.serverName, toolCount: result.toolCount, summary: result.summary },
  }
}

/** 1 when something is as bad as `failOn` or worse, 0 otherwise; for use as a process's exit code. */
export function exitCodeOf(result: Pick<ScanResult, 'findings'>, failOn: Severity = 'high'): 0 | 1 {
  return result.findings.some((finding) => rankOf(finding.severity) >= rankOf(failOn)) ? 1 : 0
}

/** Whether a word names a severity, for options such as `--fail-on`. */
export function isSeverity(word: string): word is Severity {
  return severities.some((severity) => severity === word)
}

function descriptorOf({ id, title, meaning, remediation, severity, check, references }: RuleFacts) {
  return {
    id,
    name: id.replace(/(?:^|-)([a-z])/g, (_whole, letter: string) => letter.toUpperCase()),
    shortDescription: { text: title },
    fullDescription: { text: meaning },
    help: { text: remediation },
    defaultConfiguration: { level: levels[severity] },
    properties: { tags: ['security', check, ...references], 'security-severity': scores[severity] },
  }
}

function messageOf({ detail, path, excerpt, remediation }: Finding): string {
  return `${detail} At ${path}${excerpt === '' ? '.' : `: "${excerpt}".`} ${remediation}`
}

/** A relative reference or an absolute address, as SARIF wants it; a path keeps its slashes. */
function uriOf(source: string): string {
  return /^https?:\/\//.test(source) ? source : encodeURI(source.replaceAll('\\', '/'))
}
