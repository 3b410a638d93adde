import { findingOf } from './finding.ts'
import { readManifest } from './manifest.ts'
import type { ToolEntry } from './manifest.ts'
import { rankOf } from './model.ts'
import type { Finding, RuleFacts, Severity } from './model.ts'

const turned: RuleFacts = {
  id: 'pi-turned-since',
  check: 'prompt-injection',
  severity: 'high',
  title: 'A tool that was harmless has turned',
  meaning: 'The tool was approved in another form; what was changed since is what is found in it now.',
  remediation: 'Do not use the new version before a person has read the change.',
  references: ['OWASP MCP03', 'CWE-494'],
}

const loosened: RuleFacts = {
  id: 'sp-loosened-since',
  check: 'scope-permissions',
  severity: 'medium',
  title: 'A tool may do more than before',
  meaning: 'The tool was approved with a hint that it no longer gives.',
  remediation: 'Ask for approval of the tool again.',
  references: ['OWASP MCP02', 'CWE-269'],
}

const changed: RuleFacts = {
  id: 'pi-changed-since',
  check: 'prompt-injection',
  severity: 'info',
  title: 'A tool is not what it was',
  meaning: 'The tool has changed since the former manifest.',
  remediation: 'Read the change, and keep the new manifest to compare with.',
  references: ['OWASP MCP03'],
}

/** The rules that findings about changes stand under. */
export const changeRules: readonly RuleFacts[] = [turned, loosened, changed]

type Scanned = { readonly root: unknown; readonly findings: readonly Finding[] }

/**
 * What has become of the tools of a former manifest: a tool in which something new is found (a "rug pull"), one whose
 * hints promise less than before, one that has changed in any way, and one that was not there.
 */
export function changesSince(former: Scanned, now: Scanned): readonly Finding[] {
  const before = new Map(readManifest(former.root).tools.map((tool) => [tool.name, tool]))
  return readManifest(now.root).tools.flatMap((tool) => {
    const old = before.get(tool.name)
    const evidence = { path: tool.path, text: tool.description, tool: tool.name }
    if (old === undefined) return [findingOf(changed, { ...evidence, detail: 'The tool was not there before.' })]
    const differs = partsThatDiffer(old, tool)
    if (differs.length === 0) return []
    const detail = `Changed since the former manifest: ${differs.join(', ')}.`
    const worst = (findings: readonly Finding[]): Severity =>
      findings
        .filter((finding) => finding.tool === tool.name)
        .reduce<Severity>((most, { severity }) => (rankOf(severity) > rankOf(most) ? severity : most), 'info')
    const [was, is] = [worst(former.findings), worst(now.findings)]
    const lost = hints.filter((hint) => isPromised(old, hint) && !isPromised(tool, hint))
    return [
      ...(rankOf(is) > rankOf(was) && rankOf(is) >= rankOf('medium')
        ? [findingOf(turned, { ...evidence, detail: `${turned.meaning} ${detail} It was ${was} and is ${is}.` })]
        : []),
      ...(lost.length > 0
        ? [
            findingOf(loosened, {
              ...evidence,
              detail: `${loosened.meaning} Gone or turned round: ${lost.join(', ')}.`,
            }),
          ]
        : []),
      findingOf(changed, { ...evidence, detail }),
    ]
  })
}

/** Hints that a client may have approved a tool by, with the value that promises something. */
const promises = { readOnlyHint: true, destructiveHint: false, openWorldHint: false } as const
const hints = ['readOnlyHint', 'destructiveHint', 'openWorldHint'] as const

function isPromised({ annotations }: ToolEntry, hint: (typeof hints)[number]): boolean {
  return annotations[hint] === promises[hint]
}

function partsThatDiffer(old: ToolEntry, tool: ToolEntry): readonly string[] {
  const parts = {
    description: [old.description, tool.description],
    'input schema': [old.schema, tool.schema],
    annotations: [old.annotations, tool.annotations],
    'other fields': [rest(old), rest(tool)],
  }
  return Object.entries(parts)
    .filter(([, [a, b]]) => JSON.stringify(a) !== JSON.stringify(b))
    .map(([name]) => name)
}

/** What a definition holds beside the parts that are named by themselves. */
function rest({ definition }: ToolEntry): unknown {
  const named = new Set(['name', 'description', 'inputSchema', 'input_schema', 'parameters', 'annotations'])
  return Object.entries(definition).filter(([key]) => !named.has(key))
}
