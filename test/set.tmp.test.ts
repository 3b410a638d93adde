import { appendFileSync, writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { openZoo } from './harness/contract-zoo.ts'
import { deploySet, type Labelled } from './harness/contract-set.ts'
import { runOnChain } from './harness/on-chain.ts'
import set from '../tools/site/contract-safety-scanner/contracts/incidents.json' with { type: 'json' }
import tool from '../tools/site/contract-safety-scanner/tool.ts'
it('tries', async () => {
  const zoo = await openZoo()
  const labelled = set.contracts as unknown as readonly Labelled[]
  const places = await deploySet(zoo, labelled)
  writeFileSync('/tmp/set.txt', '')
  const only = process.env['ONLY']?.split(',')
  let right = 0
  let all = 0
  for (const { name, level } of labelled) {
    if (only && !only.includes(name)) continue
    const address = places.get(name) ?? '0x'
    const exchanges = [
      { url: `https://base.blockscout.com/api/v2/smart-contracts/${address}`, status: 503 },
      { url: `https://base.blockscout.com/api/v2/addresses/${address}`, status: 404 },
      { url: `https://sourcify.dev/server/v2/contract/8453/${address}?fields=abi,compilation,sources`, status: 503 },
    ]
    const t = performance.now()
    try {
      const { output, rpc } = await runOnChain(tool, { address }, { rpcUrl: zoo.rpcUrl, exchanges, deadlineMs: 60_000 })
      all += 1
      if (output.safetyLevel === level) right += 1
      appendFileSync(
        '/tmp/set.txt',
        `${output.safetyLevel === level ? 'ok ' : 'BAD'} ${name}: ${output.safetyLevel} ${output.safetyScore} (label ${level}) ${rpc.length} requests, ${Math.round(performance.now() - t)} ms\n  - ${output.risks.join('\n  - ')}\n  + ${output.positives.join('\n  + ')}\n`,
      )
    } catch (error) {
      appendFileSync(
        '/tmp/set.txt',
        `BAD ${name}: FAILED ${String(error)} ${error instanceof Error ? String(error.stack).slice(0, 300) : ''}\n`,
      )
    }
  }
  appendFileSync('/tmp/set.txt', `${right} of ${all}\n`)
  await zoo.stop()
}, 600_000)
