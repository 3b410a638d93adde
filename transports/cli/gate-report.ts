import type { GateListing } from '../../src/gate/listing.ts'
import { usdOf } from '../../src/tool/access.ts'
import { scan } from '../../tools/agentic/mcp-security-scanner/scan.ts'

/** What a gate offers and what it leaves out, and what our own scanner says of it: models are going to read it. */
export function reportGates(gates: readonly GateListing[], note: (line: string) => void): void {
  for (const gate of gates) {
    for (const line of [...offersOf(gate), ...warningsOf(gate)]) note(line)
  }
}

function offersOf({ file, tools, left }: GateListing): readonly string[] {
  const offered = tools.map(({ slug, remoteName, access }) => {
    const price = access.mode === 'free' ? 'free' : `$${usdOf(access)}`
    return `  ${slug.padEnd(32)} ${price}${slug === remoteName ? '' : `   (${remoteName})`}`
  })
  const others = left.map(({ name, reason }) => `  ${name.padEnd(32)} not offered: ${reason}`)
  return [`Behind ${file}:`, ...offered, ...others]
}

export function warningsOf({ file, tools }: GateListing): readonly string[] {
  const manifest = {
    tools: tools.map(({ slug, name, description, input, output, effects }) => ({
      name: slug,
      title: name,
      description,
      inputSchema: input.schema,
      ...(output === undefined ? {} : { outputSchema: output.schema }),
      annotations: effects,
    })),
  }
  const grave = scan(manifest).findings.filter(({ severity }) => severity === 'critical' || severity === 'high')
  if (grave.length === 0) return []
  return [
    `Warning: \`tollgate scan\` would find ${grave.length} critical or high in what ${file} offers:`,
    ...grave.slice(0, 10).map(({ severity, title, tool }) => `  ${severity}: ${tool ?? 'the server'}: ${title}`),
  ]
}
