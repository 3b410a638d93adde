import { describe, expect, it } from 'vitest'

import { openSqliteStore } from '../store/sqlite.ts'
import { createDiskCheck } from '../../test/money/faulty-store.ts'
import { createStoppedClock } from '../../test/money/simulator.ts'
import { serversOfTests } from '../../test/money/servers-of-tests.ts'

const startServer = serversOfTests()

describe('a server that serves others', () => {
  it('does not fetch from itself, whatever port its address names', async () => {
    const server = await startServer({
      env: {
        TOLLGATE_PUBLIC_URL: 'https://tools.example.org:8443',
        TOLLGATE_UPSTREAM_WEB_HOSTS: 'tools.example.org=http://127.0.0.1:9',
      },
    })
    const { web } = server.served.server.upstreams.bind(AbortSignal.timeout(5_000))
    for (const address of ['https://tools.example.org:8443/api/tools', 'https://tools.example.org/']) {
      await expect(web.fetch(address)).rejects.toThrow('This server does not fetch from itself.')
    }
  })

  it('tells nobody the password of its facilitator', async () => {
    const { served } = await startServer({
      env: { TOLLGATE_FACILITATOR_URL: 'http://me:hush@127.0.0.1:9/x402?key=hush' },
    })
    expect(served.server.describe.facilitatorUrl).toBe('http://127.0.0.1:9/x402')
    for (const path of ['/api/agentic/manifest', '/api/tools', '/x402-ecosystem.json']) {
      expect(await (await fetch(served.baseUrl + path)).text()).not.toContain('hush')
    }
  })

  it('writes to the disk once, however often it is asked whether it is ready', async () => {
    const store = await openSqliteStore(':memory:')
    const disk = createDiskCheck()
    // Time stands still between the steps: on a busy machine fifty requests take longer than a check is good for.
    const server = await startServer({ clock: createStoppedClock(), store: { ...store, check: disk.check } })
    const ask = async () => (await fetch(`${server.url}/ready`)).status
    expect(new Set(await Promise.all(Array.from({ length: 50 }, ask)))).toEqual(new Set([200]))
    expect(disk.checks).toBe(1)
    disk.isBroken = true
    server.clock.advance(1_000)
    expect(await ask()).toBe(503)
    disk.isBroken = false
    server.clock.advance(1_000)
    expect(await ask()).toBe(200)
  })
})
