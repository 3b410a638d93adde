import { paths } from '../tool/urls.ts'
import type { catalogOf } from './catalog.ts'
import type { DescribeConfig } from './config.ts'
import type { CatalogToolEntry } from './entry.ts'

const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .4rem .6rem; border-top: 1px solid #8884 }
code { font-size: .9em }
`

/** The page that a browser gets at the catalog's address. */
export function catalogPageOf(catalog: ReturnType<typeof catalogOf>, config: DescribeConfig): string {
  const rows = catalog.tools.map(rowOf).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(config.serverName)}: tools</title>
<style>
${style}</style>
</head>
<body>
<h1>${escaped(config.serverName)}: ${catalog.count} tools</h1>
${catalog.count === 0 ? '' : '<p>Call a tool at its address; an unpaid call says what it costs.</p>'}
${config.sandbox ? '<p><strong>This is a sandbox: its money is worthless and its data is made up.</strong></p>' : ''}
<p>For programs: <a href="${paths.siteTools}">catalog</a>, <a href="${paths.rootOpenapi}">OpenAPI</a>, <a href="${paths.llms}">llms.txt</a>.</p>
<table>
<thead><tr><th>Tool</th><th>Access</th><th>What it does</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</body>
</html>
`
}

function rowOf({ name, slug, manifest, access, description }: CatalogToolEntry): string {
  const price =
    access.x402 === null ? access.mode : `$${access.x402.amount}${access.mode === 'paid' ? '' : `, ${access.mode}`}`
  return `<tr><td><a href="${escaped(manifest)}">${escaped(name)}</a><br><code>${escaped(slug)}</code></td><td>${escaped(price)}</td><td>${escaped(description)}</td></tr>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
