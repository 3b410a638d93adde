import { severities } from './model.ts'
import type { Finding } from './model.ts'
import type { Scan } from './report.ts'

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; }
section { border-left: .4rem solid #9a9a9a; padding: .2rem 1rem; margin: 1.5rem 0; }
.critical, .high { border-color: #b3261e; } .medium { border-color: #b26a00; }
h2 { font-size: 1.05rem; margin: 0; } dl { display: grid; grid-template-columns: 7rem 1fr; margin: .5rem 0 0; }
dd { margin: 0; overflow-wrap: anywhere; } q { white-space: pre-wrap; unicode-bidi: isolate; }
@media (prefers-color-scheme: dark) { body { background: #161616; color: #eee; } }`

/**
 * Scans as one page that needs nothing else. Every text of a manifest stands in it as text: it is escaped, and the page
 * forbids itself scripts, pictures and addresses, so that a manifest cannot attack whoever reads about it.
 */
export function htmlReport(scans: readonly Scan[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Scan of ${escaped(scans.map(({ result }) => result.serverName).join(', '))}</title>
<style>${style}</style>
</head>
<body>
${scans.map(partOf).join('\n')}
</body>
</html>
`
}

function partOf({ source, result: { serverName, toolCount, summary, findings } }: Scan): string {
  const counts = severities.map((severity) => `${summary[severity]} ${severity}`).join(', ')
  return `<h1>Scan of ${escaped(serverName)}</h1>
<p>${escaped(source)}: ${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}. Overall risk: <strong>${summary.overallRisk}</strong> (${counts}).</p>
${findings.map(sectionOf).join('\n')}`
}

function sectionOf(finding: Finding): string {
  const rows = [
    ['Tool', finding.tool ?? ''],
    ['What', finding.detail],
    ['Where', finding.path],
    ['Says', finding.excerpt],
    ['Remedy', finding.remediation],
    ['Rule', [finding.ruleId, finding.check, ...finding.references].join(', ')],
  ] as const
  const said = rows.filter(([, text]) => text !== '')
  const list = said.map(([name, text]) => {
    const shown = name === 'Says' ? `<q>${escaped(text)}</q>` : escaped(text)
    return `<dt>${name}</dt><dd>${shown}</dd>`
  })
  return `<section class="${finding.severity}">
<h2>${finding.severity.toUpperCase()}: ${escaped(finding.title)}</h2>
<dl>${list.join('')}</dl>
</section>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)
}
