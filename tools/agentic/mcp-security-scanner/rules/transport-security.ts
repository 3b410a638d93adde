import { isObject, listOf, stepInto, textOf } from '../json.ts'
import type { Manifest, Remote } from '../manifest.ts'
import { purposeOf } from '../words.ts'
import type { StructureRule } from './rule.ts'

/** How a client and a server speak to each other. */
export const transportSecurityRules: readonly StructureRule[] = [
  {
    id: 'ts-plain-http',
    looksAt: 'structure',
    check: 'transport-security',
    severity: 'high',
    title: 'A remote server is reached without encryption',
    meaning: 'Anyone on the way can read and change what tools are offered and what is sent to them.',
    remediation: 'Use https.',
    references: ['OWASP MCP07', 'CWE-319', 'MCP specification: transports'],
    *find({ remotes }) {
      for (const { url, path, kind } of remotes) {
        if (!/^(?:http|ws):\/\//i.test(url) || isLocal(url)) continue
        yield { path, text: shown(url), severity: kind === 'manifest' ? 'medium' : undefined }
      }
    },
    hits: [{ mcpServers: { a: { url: 'http://mcp.example.net/mcp' } } }],
    misses: [{ mcpServers: { a: { url: 'http://localhost:3000/mcp' }, b: { url: 'https://mcp.example.net/mcp' } } }],
  },
  {
    id: 'ts-old-transport',
    looksAt: 'structure',
    check: 'transport-security',
    severity: 'info',
    title: 'A remote server uses the old event-stream transport',
    meaning: 'The HTTP+SSE transport is deprecated.',
    remediation: 'Move to streamable HTTP.',
    references: ['MCP specification: transports'],
    *find({ remotes }) {
      for (const { url, path, kind } of remotes) {
        if (kind.toLowerCase() === 'sse' || /\/sse\/?$/.test(url)) yield { path, text: shown(url) }
      }
    },
    hits: [{ mcpServers: { a: { type: 'sse', url: 'https://mcp.example.net/sse' } } }],
    misses: [{ mcpServers: { a: { type: 'http', url: 'https://mcp.example.net/mcp' } } }],
  },
  {
    id: 'ts-credential-in-url',
    looksAt: 'structure',
    check: 'transport-security',
    severity: 'high',
    title: 'A credential stands in an address',
    meaning: 'Addresses end up in logs, histories and referrer headers; the credential goes with them.',
    remediation: 'Send the credential in a header, from the environment.',
    references: ['OWASP MCP01', 'OWASP MCP07', 'CWE-598'],
    *find({ remotes }) {
      for (const { url, path } of remotes) {
        const match = queryCredential.exec(url)
        if (match === null && !/^\w+:\/\/[^/@\s]{1,100}:[^/@\s]{3,200}@/.test(url)) continue
        const value = match?.[1] ?? 'given'
        if (/^(?:\$|%24|\{|<|%7b|%3c|your|xxx|\*)/i.test(value) || value.length < 4) continue
        yield { path, text: shown(url) }
      }
    },
    hits: [{ mcpServers: { a: { url: 'https://mcp.example.net/mcp?token=8f2k1m9d7s' } } }],
    misses: [{ mcpServers: { a: { url: 'https://mcp.example.net/mcp?api_key=${KEY}' } } }],
  },
  {
    id: 'ts-no-verification',
    looksAt: 'structure',
    check: 'transport-security',
    severity: 'high',
    title: 'The check of certificates is turned off',
    meaning: 'The program accepts any certificate, so encryption protects from nobody.',
    remediation: 'Remove the setting; add a private authority to the trust store where one is needed.',
    references: ['OWASP MCP07', 'CWE-295'],
    *find({ launches, blocks }) {
      for (const { env, args, path } of launches) {
        for (const setting of env) {
          if (trustsAnyone(setting.name, setting.value))
            yield { path: setting.path, text: `${setting.name}=${setting.value}` }
        }
        for (const [index, arg] of args.entries()) {
          if (
            /^--?(?:insecure|no-check-certificate|no-verify-ssl|disable-ssl-verification|skip-tls-verify|allow-insecure\S*|ssl-no-verify|insecure-skip-tls-verify|trusted-host)\b/.test(
              arg,
            )
          ) {
            yield { path: `${path}.args[${index}]`, text: arg }
          }
        }
      }
      for (const { path, value } of blocks) {
        for (const [name, setting] of Object.entries(value)) {
          if (
            /^(?:verify_?(?:ssl|tls)|reject_?unauthorized|ssl_?verify|tls_?verify)$/i.test(name) &&
            setting === false
          ) {
            yield { path: stepInto(path, name), text: `${name}: false` }
          }
        }
      }
    },
    hits: [{ mcpServers: { a: { command: 'node', env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } } } }],
    misses: [{ mcpServers: { a: { command: 'node', env: { NODE_TLS_REJECT_UNAUTHORIZED: '1' } } } }],
  },
  {
    id: 'ts-open-listener',
    looksAt: 'structure',
    check: 'transport-security',
    severity: 'medium',
    title: 'A local server listens to the whole network',
    meaning: 'The program binds to all interfaces, so other machines, and pages in a browser, can reach it.',
    remediation: 'Bind to 127.0.0.1 and check the Origin header.',
    references: ['OWASP MCP07', 'CWE-1327', 'MCP specification: transports, security warning'],
    *find({ launches }) {
      for (const { env, args, path } of launches) {
        for (const [index, arg] of args.entries()) {
          const isHost =
            /^(?:0\.0\.0\.0|::|\[::\])$/.test(arg) && /^--?(?:host|bind|address|listen|h)/.test(args[index - 1] ?? '')
          // A debugger's port takes orders from whoever reaches it.
          const isDebugger = /^--(?:remote-debugging-(?:port|address)|inspect(?:-brk)?=0\.0\.0\.0)/.test(arg)
          if (isDebugger || isHost || /^--?(?:host|bind|address|listen)\S*=(?:0\.0\.0\.0|::)/.test(arg)) {
            yield { path: `${path}.args[${index}]`, text: arg }
          }
        }
        for (const { name, value, path: at } of env) {
          if (/(?:^|_)(?:HOST|BIND|LISTEN)(?:_|$)/.test(name) && /^(?:0\.0\.0\.0|::)/.test(value))
            yield { path: at, text: `${name}=${value}` }
          if (/CORS|ALLOWED_ORIGINS/.test(name) && value === '*') yield { path: at, text: `${name}=*` }
        }
      }
    },
    hits: [{ mcpServers: { a: { command: 'node', args: ['a.js', '--host', '0.0.0.0'] } } }],
    misses: [{ mcpServers: { a: { command: 'node', args: ['a.js', '--host', '127.0.0.1'] } } }],
  },
  {
    id: 'ts-no-authentication',
    looksAt: 'structure',
    check: 'transport-security',
    severity: 'medium',
    title: 'A remote server takes calls from anyone',
    meaning: 'The manifest says that no authentication is needed, or sends none to a server whose tools change things.',
    remediation: 'Require authorization, as the specification describes it.',
    references: ['OWASP MCP07', 'CWE-306', 'MCP specification: authorization'],
    *find(manifest) {
      if (!isRemote(manifest)) return
      for (const { path, value } of manifest.blocks) {
        for (const name of ['authentication', 'auth', 'authorization']) {
          if (saysNone(value[name])) {
            const isHarmless = !manifest.tools.some((tool) => changesThings.test(purposeOf(tool)))
            yield {
              path: stepInto(path, name),
              text: JSON.stringify(value[name]) ?? '',
              severity: isHarmless ? 'low' : undefined,
            }
          }
        }
      }
    },
    hits: [
      {
        transport: { type: 'streamable-http', url: 'https://mcp.example.net/mcp' },
        authentication: { required: false },
        tools: [{ name: 'delete_account', description: 'Deletes an account.' }],
      },
    ],
    misses: [
      {
        transport: { type: 'streamable-http', url: 'https://mcp.example.net/mcp' },
        authentication: { required: true, schemes: ['oauth2'] },
        tools: [{ name: 'delete_account', description: 'Deletes an account.' }],
      },
    ],
  },
]

const queryCredential =
  /[?&](?:api[_-]?key|apikey|key|token|access[_-]?token|auth|secret|password|passwd|client[_-]?secret|sig|bearer)=([^&#\s]{4,400})/i
const changesThings =
  /\b(?:delet|remov|drop|wip|destroy|purg|truncat|updat|writ|modif|creat|send|transfer|pay|execut|run|deploy|insert|revok|grant)\w*\b/

function isLocal(url: string): boolean {
  const host = URL.parse(url)?.hostname.toLowerCase() ?? ''
  return (
    host === '' ||
    /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|host\.docker\.internal)$/.test(host) ||
    /\.(?:localhost|local)$/.test(host) ||
    /[{$<]/.test(url.slice(0, 40))
  )
}

/** The address without the values of its query and without its password. */
function shown(url: string): string {
  return url.replace(/=[^&#]+/g, '=****').replace(/:\/\/[^/@]*@/, '://****@')
}

function trustsAnyone(name: string, value: string): boolean {
  if (name === 'NODE_TLS_REJECT_UNAUTHORIZED') return value === '0'
  if (/^(?:PYTHONHTTPSVERIFY|VERIFY_SSL|SSL_VERIFY|TLS_VERIFY|REQUESTS_VERIFY|GIT_SSL_VERIFY)$/i.test(name)) {
    return /^(?:0|false|no|off)$/i.test(value)
  }
  if (
    /^(?:GIT_SSL_NO_VERIFY|INSECURE_SKIP_VERIFY|SKIP_TLS_VERIFY|DISABLE_SSL_VERIFICATION|CURL_INSECURE|ALLOW_INSECURE\w*|\w+_INSECURE)$/i.test(
      name,
    )
  ) {
    return /^(?:1|true|yes|on)$/i.test(value)
  }
  return name === 'npm_config_strict_ssl' && value === 'false'
}

function isRemote({ remotes }: Manifest): boolean {
  return remotes.some((remote: Remote) => !isLocal(remote.url))
}

function saysNone(auth: unknown): boolean {
  if (auth === false || auth === null) return auth === false
  if (textOf(auth).toLowerCase() === 'none') return true
  if (!isObject(auth)) return false
  if (auth['required'] === false || textOf(auth['type']).toLowerCase() === 'none') return true
  const schemes = listOf(auth['schemes'])
  return schemes.length > 0 && schemes.every((scheme) => scheme === 'none')
}
