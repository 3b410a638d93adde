import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { shellQuoted } from '../../src/describe/code-samples.ts'
import { isPriced } from '../../src/tool/access.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { endpointOf, paths } from '../../src/tool/urls.ts'

type Ready = {
  readonly baseUrl: string
  readonly mcpUrl: string
  readonly dataDir: string
  readonly chain: { readonly rpcUrl: string; readonly chainId: number }
  readonly wallets: Readonly<Record<string, { readonly address: string; readonly privateKey: string }>>
  readonly magicWallets: Readonly<Record<string, unknown>>
}

/** What the sandbox says to a person when it is ready. */
export function welcome(ready: Ready, tools: readonly Tool[], ms: number, program: string): string {
  const { baseUrl, wallets } = ready
  return [
    '',
    `Tollgate sandbox: ${tools.length === 1 ? '1 tool' : `${tools.length} tools`} at ${baseUrl} (ready in ${(ms / 1_000).toFixed(1)} s). Play money, this machine only.`,
    '',
    `  MCP        ${ready.mcpUrl}`,
    `  manifest   ${baseUrl}${paths.manifest}`,
    `  chain      ${ready.chain.rpcUrl} (chain id ${ready.chain.chainId})`,
    '',
    ...Object.entries(wallets).map(
      ([name, wallet]) => `  ${name.padEnd(9)}  ${wallet.address}  key ${wallet.privateKey}`,
    ),
    '',
    `  test cards  ${Object.keys(ready.magicWallets).join(', ')}`,
    '              wallets whose payments always end that way; their keys are in the output of --json',
    '',
    'Try it:',
    '',
    ...callsToTry(tools, baseUrl),
    // The example is part of the sources, not of the package.
    ...(existsSync(join('examples', 'pay.ts'))
      ? [`  npm run example -- ${baseUrl}                                                       # pay for one`]
      : [`Paying clients in a few lines: codeSamples of every tool in ${baseUrl}${paths.manifest}`]),
    '',
    `What it earned:  TOLLGATE_DATA_DIR=${ready.dataDir} ${program} revenue`,
    '',
    'Ctrl-C ends it.',
  ].join('\n')
}

/** A call that costs something and one that is free, as they are sold here: the operator's own stand last. */
function callsToTry(tools: readonly Tool[], baseUrl: string): readonly string[] {
  const priced = tools.findLast(({ access }) => isPriced(access))
  const free = tools.flatMap(freeCallOf).at(-1)
  const call = (tool: Tool): string => `  curl -s -X POST ${endpointOf(tool, baseUrl)}`
  return [
    ...(priced === undefined ? [] : [`${call(priced)} -i   # what it costs`]),
    ...(free === undefined
      ? []
      : [`${call(free.tool)} -H 'content-type: application/json' -d ${free.input}   # a free one`]),
  ]
}

/** Tools behind a gate may have no example. */
function freeCallOf(tool: Tool): readonly { readonly tool: Tool; readonly input: string }[] {
  const [example] = tool.examples
  if (tool.access.mode !== 'free' || example === undefined) return []
  // What the sandbox replays of GitHub is a repository of its own.
  const input = tool.slug === 'repo-health-for-agents' ? { repo: 'tollgate-demo/paid-weather' } : example.input
  return [{ tool, input: shellQuoted(JSON.stringify(input)) }]
}
