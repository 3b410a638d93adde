import { defineKnowledge, lines, phrases, say, sayList } from '../../../src/tool/knowledge.ts'
import type tool from './tool.ts'

export default defineKnowledge<typeof tool>({
  category: 'safety',
  chains: 'any',
  questions: lines(`
    is this mcp server safe to install
    scan an mcp manifest for hidden instructions
    does this tool manifest try to steal my secrets
    check an mcp server for prompt injection before i connect it
    vet a model context protocol server
    are the tool descriptions poisoned
    does the plugin ask for too many permissions
    security review of an agent's tools
    look for data exfiltration in a tool manifest
    can i add this server to claude or cursor
    would this server leak my api keys
    check a skill file for malicious text
    red team the tools of this endpoint
    audit the tool list of this mcp endpoint
    is this tool server trying to trick my assistant
    could this plugin do something nasty
    a friend sent me an mcp link is it fine to connect
    does the server sneak orders into its descriptions
    is it ok to plug this into my ai
    what could go wrong if i add this mcp
    does this connector spy on me
    any evil text in this manifest
  `),
  keywords: phrases(`
    excessive permissions, agent plugin, plugin, scope permissions, mcp, mcp server, mcp endpoint, mcp manifest, model
    context protocol, tool manifest, prompt injection, injected, tool poisoning, poisoned, hidden
    instructions, exfiltrate secrets, exfiltration, tool descriptions, security review of tools, security scan, connect
    assistant, install server, privilege escalation, vulnerability, malicious tool, mcp integration, mcp tool
    list, agent tool safety, injection attack, red team, tool shadowing, scan manifest, skill file, leak secrets
  `),
  inputs: {
    manifestUrl: { from: 'url', needed: true },
    checks: {
      from: 'choice',
      words: {
        'prompt-injection': 'prompt injection, injection, hidden instructions',
        exfiltration: 'exfiltration, data theft, leak, secrets',
        'resource-access': 'resource access, file access',
        'privilege-escalation': 'privilege escalation',
        'schema-validation': 'schema, schemas',
        'transport-security': 'transport, tls, https',
        'scope-permissions': 'scope, scopes, permissions',
      },
    },
  },
  summary: ({ serverName, toolCount, summary, findings }) =>
    say`${serverName} with ${toolCount} tools: overall risk ${summary.overallRisk}, with ${summary.critical} critical, ${summary.high} high and ${summary.medium} medium findings.` +
    (findings.length === 0 ? '' : ` First: ${sayList(findings, 2, ({ title }) => say`${title}`)}.`),
})
