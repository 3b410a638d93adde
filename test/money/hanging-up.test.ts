import { request } from 'node:http'
import { describe, expect, it } from 'vitest'

import { callTool } from './test-server.ts'
import { serversOfTests } from './servers-of-tests.ts'

const startServer = serversOfTests()

describe('the daily allowance', () => {
  it('counts a call whose caller hung up while it ran', async () => {
    const server = await startServer()
    server.probes.onRun = () =>
      new Promise((resolve) => {
        setTimeout(resolve, 150)
      })
    const hangUp = () =>
      new Promise<void>((resolve) => {
        const before = server.probes.runs()
        const body = JSON.stringify({ text: 'x' })
        const out = request(`${server.url}/api/agentic/tools/probe-free`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': body.length },
        })
        out.on('error', () => {})
        out.on('response', (answer) => {
          answer.resume()
          clearInterval(timer)
          resolve()
        })
        out.end(body)
        const timer = setInterval(() => {
          if (server.probes.runs() === before) return
          clearInterval(timer)
          out.destroy()
          setTimeout(resolve, 20)
        }, 2)
      })
    for (let i = 0; i < 60; i += 1) await hangUp()
    await new Promise((r) => setTimeout(r, 300))
    server.probes.onRun = () => {}
    const answer = await callTool(server.url, 'probe-free', { text: 'x' })
    expect(server.probes.runs()).toBeLessThanOrEqual(50)
    expect(answer.status).toBe(429)
  })
})
