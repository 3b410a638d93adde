import type { Command } from './command.ts'

/** Every command: the help, the arguments and the usage are read from this table. */
export const commands: Readonly<Record<string, Command>> = {
  stdio: {
    summary: 'Run the tools for one MCP client over stdin and stdout, free, with your own keys.',
    help: ['This is what an MCP client starts, and what `tollgate` alone does. It needs no key and no wallet.'],
    load: () => import('./stdio.ts'),
  },
  serve: {
    summary: 'Serve the tools over HTTP and MCP, paid in USDC with x402.',
    options: { json: {}, confirm: {} },
    help: [
      'Needs TOLLGATE_PAY_TO. `tollgate doctor` says what else is missing.',
      'A ledger that was paid to another wallet is not served; --confirm says that the change is meant.',
    ],
    load: () => import('./serve.ts'),
  },
  pause: {
    summary: 'Take no new payments, at the server that uses the same data folder; what was paid for is still answered.',
    options: { json: {} },
    help: ['Works while the server runs and across restarts. Each node of several is paused by itself.'],
    load: () => import('./pause.ts'),
  },
  resume: {
    summary: 'Take payments again after `tollgate pause`.',
    options: { json: {} },
    help: ['Removes the mark that `tollgate pause` left in TOLLGATE_DATA_DIR.'],
    load: () => import('./resume.ts'),
  },
  sandbox: {
    summary: 'Start everything on a local chain with play money: the server, USDC, a facilitator, funded wallets.',
    options: { json: {}, port: { value: 'N' }, log: {}, 'public-nodes': {} },
    help: [
      'Needs no network, no key and no money. Ends with Ctrl-C, or when the process that started it ends.',
      'The port is 8402 unless given, and 0 takes a free one. --log writes what the server does to stderr.',
      '--public-nodes lets the server read the chain through four nodes with the limits of the public ones of Base.',
    ],
    load: () => import('./sandbox.ts'),
  },
  call: {
    summary: 'Run one tool here and print its answer.',
    arguments: [{ name: 'slug', required: true }, { name: 'json-input' }],
    options: { json: {} },
    help: ['Example: tollgate call base-gas-tracker \'{"blocks":3}\''],
    load: () => import('./call.ts'),
  },
  refresh: {
    summary: 'Make the snapshots that some tools answer from, once or on a schedule.',
    options: { every: { value: 'TIME' }, json: {} },
    help: [
      'Reads the feed of posts in TOLLGATE_POSTS_FEED and leaves the snapshots in TOLLGATE_DATA_DIR. With --every 24h it',
      'stays and does it again; without, let a scheduler run it once a day. The exit code is 1 where a snapshot could not',
      'be made: the old one stays, and the answers say how old it is.',
    ],
    load: () => import('./refresh.ts'),
  },
  scan: {
    summary:
      'Scan an MCP manifest, a tool list, a client configuration or a running server for attacks and weaknesses.',
    arguments: [{ name: 'file|url', required: true }],
    options: { json: {}, sarif: {}, 'fail-on': { value: 'LEVEL' }, against: { value: 'FILE' } },
    help: [
      'The exit code is for CI: 1 where something is found that is as bad as --fail-on says (high unless given),',
      '0 where nothing is, and 2 where the scan could not be done. --against names a former manifest of the same server:',
      'a tool that changed and now reads worse than before is a finding of its own.',
    ],
    failure: 2,
    load: () => import('./scan.ts'),
  },
  registry: {
    summary: 'Compare the ERC-8257 registry with the tools, and print or send the transactions that make them equal.',
    arguments: [{ name: 'plan|sync', required: true }],
    options: { json: {}, send: {}, move: {}, deregister: {} },
    help: [
      'plan shows what differs; the exit code is 0 where nothing does. sync prints transactions for any wallet;',
      'with --send it signs them with the key in TOLLGATE_REGISTRY_KEY_FILE, a file that only its owner may read.',
      '--move takes over entries of the same wallet at another origin; --deregister gives up those not offered here.',
      'Needs TOLLGATE_PUBLIC_URL, TOLLGATE_PAY_TO and TOLLGATE_REGISTRY.',
    ],
    load: () => import('./registry.ts'),
  },
  doctor: {
    summary: 'Check the configuration and everything it leads to, and say how to repair what is wrong.',
    arguments: [{ name: 'url' }],
    options: { json: {} },
    help: ['With an address it checks that server from outside. The exit code is 0 when nothing is broken.'],
    load: () => import('./doctor.ts'),
  },
}
