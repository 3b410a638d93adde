import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { parseConfig, variables } from '../../src/platform/config.ts'
import { noNginx } from '../harness/nginx.ts'

const fileOf = (name: string): string => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url))
const textOf = (name: string): string => readFileSync(fileOf(name), 'utf8')
const hasCaddy = spawnSync('caddy', ['version']).status === 0
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe('the files for those who run a server', () => {
  it('name only settings that the server reads', () => {
    for (const name of ['docker/Dockerfile', 'docker/compose.yml', 'docker/.env.example', 'systemd/tollgate.service']) {
      const named = new Set(textOf(name).match(/\bTOLLGATE_[A-Z0-9_]+\b/g))
      expect(named.size, name).toBeGreaterThan(0)
      for (const variable of named) expect(variables, name).toHaveProperty(variable)
    }
  })

  it('ask of a node in a container what it accepts', () => {
    const given = Array.from(
      textOf('docker/compose.yml').matchAll(/^ {4}(TOLLGATE_\w+|DATABASE_URL): (?:'([^']*)'|(\S+))$/gm),
      ([, name = '', quoted, plain]) => [name, quoted ?? plain ?? ''] as const,
    )
    expect(given.length).toBeGreaterThan(7)
    const filled: Readonly<Record<string, string>> = {
      TOLLGATE_PAY_TO: `0x${'1'.repeat(40)}`,
      TOLLGATE_PUBLIC_URL: 'https://tools.example.org',
      TOLLGATE_FACILITATOR_URL: 'https://facilitator.example.org',
      TOLLGATE_METRICS_TOKEN: 'a-token-of-the-operator',
    }
    const env = Object.fromEntries(given.map(([name, text]) => [name, text.startsWith('${') ? filled[name] : text]))
    expect(parseConfig(env).operator).toEqual({ port: 9402, host: '0.0.0.0', token: filled['TOLLGATE_METRICS_TOKEN'] })
  })

  it.skipIf(noNginx !== undefined)('have settings of nginx that nginx accepts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-deploy-'))
    try {
      const file = join(folder, 'nginx.conf')
      const own = `pid ${folder}/pid; error_log ${folder}/error.log;`
      writeFileSync(file, `${own} events {} http { access_log off; include ${fileOf('proxy/nginx.conf')}; }`)
      const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-c', file, '-e', join(folder, 'error.log')])
      expect(status, stderr.toString()).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it.skipIf(!hasCaddy)('have settings of Caddy that Caddy accepts, written as it would write them', () => {
    const file = fileOf('proxy/Caddyfile')
    const env = { ...process.env, TOLLGATE_PUBLIC_URL: 'https://tools.example.org' }
    const checked = spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], { env })
    expect(checked.status, checked.stderr.toString()).toBe(0)
    expect(spawnSync('caddy', ['fmt', file]).stdout.toString()).toBe(readFileSync(file, 'utf8'))
  })

  it.skipIf(!hasSystemd)('have a unit that systemd accepts and calls well hardened', () => {
    const unit = fileOf('systemd/tollgate.service')
    expect(execFileSync('systemd-analyze', ['verify', unit], { stdio: 'pipe' }).toString()).toBe('')
    const report = execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], {
      stdio: 'pipe',
    })
    expect(report.toString()).toContain('Overall exposure level')
  })
})
