import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startServeProcess, type ServeProcess } from '../harness/serve-process.ts'
import { loadTools } from '../../tools/load.ts'
import { auditAt } from '../../tools/agentic/agent-revenue-optimizer/fixtures/audit.ts'

const tools = (await loadTools()).filter(({ access }) => access.mode === 'paid' || access.mode === 'paid-or-pass')
let server: ServeProcess

beforeAll(async () => {
  server = await startServeProcess()
})
afterAll(() => server.stop())

/** What this server says of other people's endpoints it must be able to hear of its own. */
describe('audited like any other endpoint, this server', () => {
  it('has priced tools', () => expect(tools.length).toBeGreaterThan(10))

  it.each(tools.map(({ slug, family }) => [slug, family] as const))('sells %s in good health', async (slug, family) => {
    const path = family === 'agentic' ? `/api/agentic/tools/${slug}` : `/api/tools/${slug}`
    const { rpcUrl } = server.sandbox.chain
    const namedOrigin = new URL(server.baseUrl).origin
    const { verdict, recommendations } = await auditAt(namedOrigin + path, {}, { rpcUrl, namedOrigin })
    expect({ verdict, first: recommendations[0]?.evidence }).toEqual({
      verdict: 'healthy',
      first: expect.stringMatching(/^Healthy: .* has that signing domain and runs such a transfer/),
    })
  })
})
