import { spawn } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { findAnvil } from '../sandbox/anvil.ts'
import { rpc } from '../sandbox/rpc.ts'
import sandboxArtifacts from '../sandbox/contracts/artifacts.json' with { type: 'json' }
import { runOnChain } from './harness/on-chain.ts'
import tool from '../tools/site/contract-safety-scanner/tool.ts'
const dir = process.env['SET'] ?? '/work/blind/contracts/set1'
it('blind', async () => {
  const port = 18545 + Math.floor(Math.random() * 1000)
  const anvil = spawn(findAnvil(), ['--chain-id', '8453', '--port', String(port), '--silent'], { stdio: 'ignore' })
  const rpcUrl = `http://127.0.0.1:${port}`
  try {
    for (let i = 0; i < 50; i += 1) {
      try {
        await rpc(rpcUrl, 'eth_chainId')
        break
      } catch {
        await new Promise((r) => setTimeout(r, 100))
      }
    }
    if (process.env['MC'] !== '0')
      await rpc(
        rpcUrl,
        'anvil_setCode',
        '0xcA11bde05977b3631167028862bE2a173976CA11',
        sandboxArtifacts.Multicall3.deployedBytecode,
      )
    const only = process.env['ONLY']
    const outFile = `/tmp/places-${port}.json`
    execFileSync('node', [`${dir}/deploy.mjs`, rpcUrl, '--out', outFile, ...(only ? ['--only', only] : [])], {
      encoding: 'utf8',
      cwd: '/work/blind/contracts',
      maxBuffer: 1e8,
    })
    const placed = JSON.parse(readFileSync(outFile, 'utf8'))
    const list: any[] = Array.isArray(placed)
      ? placed
      : Object.entries(placed).map(([id, one]) => ({ id, ...(one as object) }))
    const cases: any[] =
      JSON.parse(readFileSync(`${dir}/cases.json`, 'utf8')).cases ??
      JSON.parse(readFileSync(`${dir}/cases.json`, 'utf8'))
    const out = process.env['OUT'] ?? '/tmp/blind.txt'
    writeFileSync(out, '')
    let right = 0,
      accepted = 0,
      all = 0
    const table: Record<string, Record<string, number>> = {}
    for (const one of list) {
      const info = cases.find((c) => c.id === one.id) ?? {}
      const address = String(one.address).toLowerCase()
      const every = new Set<string>([
        address,
        ...(JSON.stringify(one)
          .toLowerCase()
          .match(/0x[0-9a-f]{40}/g) ?? []),
      ])
      const published = info.sourcePublished
      const exchanges = [...every].flatMap((a) => [
        {
          url: `https://base.blockscout.com/api/v2/smart-contracts/${a}`,
          ...(published === true || published === 'full' || published === 'yes'
            ? {
                result: { is_verified: true, is_fully_verified: true, name: 'X', compiler_version: 'v0.8.37', abi: [] },
              }
            : { result: { deployed_bytecode: '0x60', proxy_type: null } }),
        },
        { url: `https://base.blockscout.com/api/v2/addresses/${a}`, status: 404, result: { message: 'Not found' } },
        {
          url: `https://sourcify.dev/server/v2/contract/8453/${a}?fields=abi,compilation,sources`,
          status: 404,
          result: { match: null },
        },
      ])
      const t = performance.now()
      try {
        const { output, rpc: made } = await runOnChain(tool, { address }, { rpcUrl, exchanges, deadlineMs: 60_000 })
        const ok = output.safetyLevel === one.level
        const fine = ok || (one.alsoAcceptable ?? []).includes(output.safetyLevel)
        all += 1
        if (ok) right += 1
        if (fine) accepted += 1
        table[one.level] ??= {}
        table[one.level]![output.safetyLevel] = (table[one.level]![output.safetyLevel] ?? 0) + 1
        appendFileSync(
          out,
          `${ok ? 'ok ' : fine ? 'acc' : 'BAD'} ${one.id} ${one.contract} [${one.kind ?? info.kind}] ${output.safetyLevel} ${output.safetyScore} (label ${one.level}) src=${JSON.stringify(published)} ${made.length} requests, ${Math.round(performance.now() - t)} ms\n  why: ${JSON.stringify(info.why)}\n  - ${output.risks.join('\n  - ')}\n  + ${output.positives.join('\n  + ')}\n`,
        )
      } catch (error) {
        all += 1
        appendFileSync(
          out,
          `BAD ${one.id} FAILED ${String(error)} ${error instanceof Error ? String(error.stack).slice(0, 300) : ''}\n`,
        )
      }
    }
    appendFileSync(out, `${right} exact, ${accepted} accepted, of ${all}\n${JSON.stringify(table)}\n`)
  } finally {
    anvil.kill('SIGKILL')
  }
}, 600_000)
