import { execFile } from 'node:child_process'

import { describe, expect, it } from 'vitest'

import { serveLoopback } from './harness/loopback.ts'
import { node, pathOf } from './harness/sandbox-process.ts'

function runExample(...args: readonly string[]) {
  return new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(node, [pathOf('examples/pay.ts'), ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr })
    })
  })
}

describe('the example of a payment', () => {
  it('says what to do where there is no server', async () => {
    const { url, close } = await serveLoopback(() => {})
    await close()
    expect(await runExample(url)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${url} cannot be reached (ECONNREFUSED). "npm start" starts a sandbox, at the address that it prints.\n`,
    })
  })

  it.each([
    [['localhost:8402'], '"localhost:8402" is not the address of a server, such as http://127.0.0.1:8402.\n'],
    [['http://127.0.0.1:8402', '0x12'], 'The private key must be 0x and 64 hex digits.\n'],
  ])('names what is wrong with %j', async (args, stderr) => {
    expect(await runExample(...args)).toEqual({ code: 1, stdout: '', stderr })
  })

  it('fails where it was not answered, and takes an address with a slash at its end', async () => {
    const asked: unknown[] = []
    const { url, close } = await serveLoopback((request, response) => {
      asked.push(request.url)
      response.writeHead(503, { 'content-type': 'application/json' }).end('{}')
    })
    const { code, stdout } = await runExample(`${url}/`)
    await close()
    expect({ code, stdout, asked }).toEqual({
      code: 1,
      stdout: '503\n{}\n',
      asked: ['/api/agentic/tools/base-gas-tracker'],
    })
  })
})
