import { isList, listOf, stepInto, textOf } from '../json.ts'
import { wordsOf } from '../words.ts'
import { forFew } from './resource-access.ts'
import type { StructureRule } from './rule.ts'
import { r, saysInAnyCase } from '../signals/says.ts'

/** How much a server may do, and how much of it without being asked. */
export const scopePermissionRules: readonly StructureRule[] = [
  {
    id: 'sp-wide-scope',
    looksAt: 'structure',
    check: 'scope-permissions',
    severity: 'medium',
    title: 'The server asks for every right',
    meaning: 'A wildcard or an administrator’s scope gives a stolen token everything.',
    remediation: 'Ask for the scopes that the tools need, and for more only when they do.',
    references: ['OWASP MCP02', 'CWE-250', 'MCP specification: security best practices, scope minimisation'],
    *find({ blocks }) {
      for (const { path, value } of blocks) {
        for (const key of scopeKeys) {
          const raw = value[key]
          const scopes = isList(raw) ? raw.map(textOf) : textOf(raw).split(/[\s,]+/)
          for (const scope of scopes) {
            if (wide.test(scope)) yield { path: stepInto(path, key), text: scope }
          }
        }
      }
    },
    hits: [{ authorization: { scopes: ['*'] }, tools: [{ name: 'a' }] }],
    misses: [{ authorization: { scopes: ['notes:read'] }, tools: [{ name: 'a' }] }],
  },
  {
    id: 'sp-auto-approve',
    looksAt: 'structure',
    check: 'scope-permissions',
    severity: 'medium',
    title: 'The client approves calls by itself',
    meaning: 'The configuration lets tools run without the user seeing the call.',
    remediation: 'Keep automatic approval to tools that only read, by name.',
    references: ['OWASP MCP02', 'CWE-862', 'MCP specification: user consent and control'],
    *find({ blocks }) {
      for (const { path, value } of blocks) {
        for (const [key, setting] of Object.entries(value)) {
          if (!approvals.test(key)) continue
          const names = listOf(setting).map(textOf)
          const isAll = setting === true || names.some((name) => name === '*' || name === 'all')
          const isRisky = names.some((name) => wordsOf(name).some((word) => risky.has(word)))
          if (isAll || isRisky) yield { path: stepInto(path, key), text: `${key}: ${JSON.stringify(setting) ?? ''}` }
          else if (names.length > 0) {
            yield { path: stepInto(path, key), text: `${key}: ${names.join(', ')}`, severity: 'info' }
          }
        }
      }
    },
    hits: [
      { mcpServers: { a: { command: 'a', autoApprove: ['*'] } } },
      { mcpServers: { a: { command: 'a', alwaysAllow: ['delete_note'] } } },
    ],
    misses: [{ mcpServers: { a: { command: 'a', alwaysAllow: [] } } }],
  },
  {
    id: 'sp-false-read-only',
    looksAt: 'structure',
    check: 'scope-permissions',
    severity: 'medium',
    title: 'A tool that changes things says it only reads',
    meaning:
      'Clients skip their question for tools that say they only read; this one’s name or description says otherwise.',
    remediation: 'Set readOnlyHint to false and destructiveHint to what is true.',
    references: ['OWASP MCP02', 'CWE-732', 'MCP specification: server/tools, annotations'],
    *find({ tools }) {
      for (const tool of tools) {
        if (tool.annotations['readOnlyHint'] !== true) continue
        const words = wordsOf(tool.name)
        const [first = ''] = words
        const said =
          /^(?:\w+ )?(?:permanently |irreversibly )?(?:deletes?|removes?|erases?|drops?|wipes?|destroys?|overwrites?|uninstalls?|terminates?|transfers?|executes? (?:any|arbitrary|shell))\b/i
        if (destroying.has(first) || said.test(tool.description)) {
          yield {
            path: stepInto(tool.path, 'annotations'),
            tool: tool.name,
            text: `${tool.name}: ${tool.description.slice(0, 100)}`,
          }
        }
      }
    },
    hits: [{ tools: [{ name: 'delete_note', annotations: { readOnlyHint: true } }] }],
    misses: [{ tools: [{ name: 'list_deleted_notes', annotations: { readOnlyHint: true } }] }],
  },
  {
    id: 'sp-undeclared-destruction',
    looksAt: 'structure',
    check: 'scope-permissions',
    severity: 'low',
    title: 'A tool that destroys things does not say so',
    meaning:
      'The tool says that it destroys nothing, or that calling it again changes nothing, while its name says the contrary.',
    remediation: 'Set destructiveHint to true.',
    references: ['OWASP MCP02', 'MCP specification: server/tools, annotations'],
    *find({ tools }) {
      for (const tool of tools) {
        const [first = ''] = wordsOf(tool.name)
        if (tool.annotations['destructiveHint'] === false && destroying.has(first)) {
          yield { path: stepInto(tool.path, 'annotations'), tool: tool.name, text: tool.name }
        }
      }
    },
    hits: [{ tools: [{ name: 'drop_table', annotations: { destructiveHint: false } }] }],
    misses: [{ tools: [{ name: 'drop_table', annotations: { destructiveHint: true } }] }],
  },
  {
    id: 'sp-open-resource',
    looksAt: 'structure',
    check: 'scope-permissions',
    severity: 'medium',
    title: 'A resource for few is offered to all',
    meaning: 'The resource is said to be confidential or to hold credentials, and every client is shown it.',
    remediation: 'Offer it to those who may read it, and leave it out of the list for everybody else.',
    references: ['OWASP MCP02', 'CWE-732', 'CWE-862'],
    *find({ resources }) {
      for (const { path, uri, description } of resources) {
        const said = `${uri} ${description}`.toLowerCase()
        if (forFew.test(said) || /\b(?:internal:|private directory|credentials:)/.test(said))
          yield { path, text: `${uri} ${description}`.trim() }
      }
    },
    hits: [{ resources: [{ uri: 'internal://salaries', name: 'salaries', description: 'Confidential.' }] }],
    misses: [{ resources: [{ uri: 'doc://guide', name: 'guide', description: 'How to start.' }] }],
  },
  {
    id: 'sp-any-command',
    looksAt: 'structure',
    check: 'scope-permissions',
    severity: 'medium',
    title: 'An allow list allows everything',
    meaning: 'The list of what the server may run or reach holds a wildcard.',
    remediation: 'Name what is allowed.',
    references: ['OWASP MCP02', 'CWE-183', 'CWE-732'],
    *find({ blocks, launches }) {
      for (const { path, value } of blocks) {
        for (const [key, setting] of Object.entries(value)) {
          const isAll = listOf(setting).some((item) => item === '*') || setting === '*'
          if (allowLists.test(key) && isAll) yield { path: stepInto(path, key), text: `${key}: *` }
          if (/^(?:insecure_allow_all|allow_all|allowAll|dangerouslyAllow\w*)$/.test(key) && setting === true) {
            // A profile that allows all hosts is a default of one registry, so it is worth a remark and no more.
            yield { path: stepInto(path, key), text: `${key}: true`, severity: 'low' }
          }
        }
      }
      for (const { env } of launches) {
        for (const { name, value, path } of env) {
          if (
            /ALLOW(?:ED)?_(?:COMMANDS?|DIRS?|DIRECTORIES|PATHS?|HOSTS?|DOMAINS?)|ALLOWED_FLAGS/.test(name) &&
            /^(?:\*|all|\/)$/i.test(value)
          ) {
            yield { path, text: `${name}=${value}` }
          }
        }
      }
    },
    hits: [{ mcpServers: { a: { command: 'a', env: { ALLOWED_COMMANDS: '*' } } } }],
    misses: [{ mcpServers: { a: { command: 'a', env: { ALLOWED_COMMANDS: 'ls,cat' } } } }],
  },
]

const scopeKeys = [
  'scope',
  'scopes',
  'permissions',
  'oauth_scopes',
  'scopes_supported',
  'requiredScopes',
  'required_scopes',
  'default_scopes',
] as const
const wide = saysInAnyCase(r`^{allAdmin}$`)
const approvals =
  /^(?:auto_?approve|autoapprove|alwaysAllow|always_allow|autoApproved?|auto_?allow|trust|trusted|auto_?run|autoConfirm|yolo)$/i
const risky = new Set(
  'delete remove drop write execute run exec shell command send transfer pay create update push deploy kill upload edit move post install'.split(
    ' ',
  ),
)
const destroying = new Set(
  'delete remove erase drop wipe destroy purge truncate uninstall terminate kill revoke overwrite execute exec'.split(
    ' ',
  ),
)
const allowLists =
  /^(?:allowed|permitted|enabled)_?(?:commands?|paths?|directories|dirs|hosts?|domains?|origins?|tools)$|^allow_?(?:commands?|hosts?|origins?|paths?|list)$/i
