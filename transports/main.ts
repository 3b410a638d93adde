import { CallError, errorBody } from '../src/errors.ts'
import { systemClock } from '../src/platform/clock.ts'
import type { Config } from '../src/platform/config.ts'
import { ConfigError } from '../src/platform/config-error.ts'
import { type Failpoint, failpoints, type Hit, noFailpoints } from '../src/platform/failpoint.ts'
import { createLog, type Log } from '../src/platform/log.ts'
import type { HouseParts, LocalHouse } from './local-house.ts'
import { packageInfo } from './package-info.ts'

type Command = {
  readonly usage: string
  readonly summary: string
  readonly help: readonly string[]
  /** Exit code of a command that failed, where 1 says something else; 1 unless given. */
  readonly failure?: number
  /** Gives the exit code, once the command is over. */
  readonly run: (args: readonly string[]) => Promise<number>
}

// Asked first of all: a parent that ends while this one still loads would be taken for the one it always had.
const startedBy = process.ppid
const parentIsGone = (): boolean => process.ppid !== startedBy

const out = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const note = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

const commands: Readonly<Record<string, Command>> = {
  stdio: {
    usage: 'tollgate [stdio]',
    summary: 'Run the tools for one MCP client over stdin and stdout, free, with your own keys.',
    help: ['This is what an MCP client starts. It needs no key and no wallet.'],
    run: async () => {
      // First of all: nothing that is loaded later may write a line that is not the protocol's.
      const { takeStdout } = await import('./mcp/stdout.ts')
      const output = takeStdout()
      const { runStdio } = await import('./mcp/stdio.ts')
      const log = createStderrLog()
      // A setting that cannot be used ends the command at once. Where nothing is set, everything can wait for a question.
      const early = isConfigured(process.env) ? await houseParts(log) : undefined
      const openHouse = async (): Promise<LocalHouse> => {
        const { createLocalHouse } = await import('./local-house.ts')
        return createLocalHouse(early ?? (await houseParts(log)))
      }
      return runStdio({ log, openHouse, parentIsGone }, output)
    },
  },
  serve: {
    usage: 'tollgate serve [--json]',
    summary: 'Serve the tools over HTTP and MCP, paid in USDC with x402.',
    help: ['Needs TOLLGATE_PAY_TO. `tollgate doctor` says what else is missing.'],
    run: async (args) => {
      const parts = await houseParts(createStderrLog())
      if (parts.config.payTo === undefined) {
        throw new ConfigError(['TOLLGATE_PAY_TO: the wallet that is paid is missing (0x and 40 hex digits)'])
      }
      const { openStore } = await import('./house.ts')
      const { serve } = await import('./serve.ts')
      const served = await serve({ ...parts, store: await openStore(parts.config) })
      const { baseUrl } = served
      if (args.includes('--json'))
        out(
          JSON.stringify({ ready: true, sandbox: parts.config.sandbox, baseUrl, mcpUrl: `${baseUrl}/api/agentic/mcp` }),
        )
      else {
        const place = listeningOf(parts.config)
        note(
          `Tollgate serves ${served.house.offered.length} tools at ${baseUrl}, paid to ${parts.config.payTo}.${place}`,
        )
      }
      await untilStopped()
      await served.stop()
      return 0
    },
  },
  sandbox: {
    usage: 'tollgate sandbox [--json] [--port N] [--log]',
    summary: 'Start everything on a local chain with play money: the server, USDC, a facilitator, funded wallets.',
    help: [
      'Needs no network, no key and no money. Ends with Ctrl-C, or when the process that started it ends.',
      'The port is 8402 unless given, and 0 takes a free one. --log writes what the server does to stderr.',
    ],
    run: async (args) => {
      const { runSandbox } = await import('./sandbox.ts')
      return runSandbox({ args, env: process.env, out, note, untilStopped, parentIsGone, parts: partsFor })
    },
  },
  call: {
    usage: "tollgate call <slug> ['{…}'] [--json]",
    summary: 'Run one tool here and print its answer.',
    help: ['Example: tollgate call base-gas-tracker \'{"blocks":3}\''],
    run: async (args) => {
      const [slug, text] = args.filter((arg) => !arg.startsWith('--'))
      if (slug === undefined) {
        note(`tollgate call: name a tool.\nUsage: ${usageOf('call')}`)
        return 2
      }
      const parts = await houseParts(createLog(() => {}, systemClock.now))
      const { createLocalHouse } = await import('./local-house.ts')
      const { parseJson } = await import('./http/body.ts')
      const house = createLocalHouse(parts)
      const tool = house.registry.bySlug(slug)
      if (tool === undefined) {
        const known = house.registry.all.map((one) => one.slug).join(', ')
        throw new CallError('unknown_tool', `There is no tool "${slug}". There are: ${known}.`)
      }
      const result = await house.call({
        tool,
        input: text === undefined ? undefined : parseJson(text),
        credentials: {},
        ip: '',
        resourceUrl: `mcp://tool/${slug}`,
        requestId: 'cli',
      })
      const answer = Buffer.from(result.body).toString('utf8')
      out(args.includes('--json') ? answer : JSON.stringify(JSON.parse(answer), null, 2))
      await house.upstreams.close()
      return 0
    },
  },
  refresh: {
    usage: 'tollgate refresh [--every TIME] [--json]',
    summary: 'Make the snapshots that some tools answer from, once or on a schedule.',
    help: [
      'Reads the feed of posts in TOLLGATE_POSTS_FEED and leaves the snapshots in TOLLGATE_DATA_DIR. With --every 24h it',
      'stays and does it again; without, let a scheduler run it once a day. The exit code is 1 where a snapshot could not',
      'be made: the old one stays, and the answers say how old it is.',
    ],
    run: async (args) => {
      const { runRefresh } = await import('./refresh.ts')
      return runRefresh({ args, parts: await houseParts(createStderrLog()), out, untilStopped })
    },
  },
  scan: {
    usage: 'tollgate scan <file|url> [--json|--sarif] [--fail-on high]',
    summary:
      'Scan an MCP manifest, a tool list, a client configuration or a running server for attacks and weaknesses.',
    help: [
      'The exit code is for CI: 1 where something is found that is as bad as --fail-on says (high unless given),',
      '0 where nothing is, and 2 where the scan could not be done.',
    ],
    failure: 2,
    run: async (args) => {
      const { runScan } = await import('./scan.ts')
      return runScan({ args, parts: await houseParts(createLog(() => {}, systemClock.now)), out })
    },
  },
  registry: {
    usage: 'tollgate registry plan|sync [--json] [--send] [--move] [--deregister]',
    summary: 'Compare the ERC-8257 registry with the tools, and print or send the transactions that make them equal.',
    help: [
      'plan shows what differs; the exit code is 0 where nothing does. sync prints transactions for any wallet;',
      'with --send it signs them with the key in TOLLGATE_REGISTRY_KEY_FILE, a file that only its owner may read.',
      '--move takes over entries of the same wallet at another origin; --deregister gives up those not offered here.',
      'Needs TOLLGATE_PUBLIC_URL, TOLLGATE_PAY_TO and TOLLGATE_REGISTRY.',
    ],
    run: async (args) => {
      const { runRegistry } = await import('./registry.ts')
      return runRegistry({ args, parts: await houseParts(createStderrLog()), out, note })
    },
  },
  doctor: {
    usage: 'tollgate doctor [url] [--json]',
    summary: 'Check the configuration and everything it leads to, and say how to repair what is wrong.',
    help: ['With an address it checks that server from outside. The exit code is 0 when nothing is broken.'],
    run: async (args) => {
      const { runDoctor } = await import('./doctor.ts')
      return runDoctor({ args, env: process.env, out, color: process.stdout.isTTY })
    },
  },
}

function usageOf(name: string): string {
  return commands[name]?.usage ?? `tollgate ${name}`
}

function helpText(): string {
  const width = Math.max(...Object.values(commands).map((command) => command.usage.length))
  return [
    `tollgate ${packageInfo.version}: paid tools for AI agents.`,
    '',
    ...Object.values(commands).map((command) => `  ${command.usage.padEnd(width)}  ${command.summary}`),
    '',
    'Every command takes --help. Settings come from the environment; the README lists them.',
  ].join('\n')
}

/** Where the server is reached on this machine, if its address for the world does not say it. */
function listeningOf({ publicUrl, host, port }: Config): string {
  return publicUrl === undefined || port === 0 ? '' : ` It listens on ${host}, port ${port}.`
}

function createStderrLog(): Log {
  return createLog(note, systemClock.now)
}

async function houseParts(
  log: Log,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<HouseParts> {
  const { parseConfig } = await import('../src/platform/config.ts')
  return partsFor(parseConfig(env), log, env)
}

function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(env).some((name) => name.startsWith('TOLLGATE_') || name === 'DATABASE_URL')
}

/** What a house is built from, for a configuration that was made here or read from the environment. */
async function partsFor(
  config: Config,
  log: Log,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HouseParts> {
  const { loadTools } = await import('../tools/load.ts')
  const { createPooledFetch } = await import('../src/upstream/http/dispatcher.ts')
  return {
    config,
    tools: await loadTools(),
    clock: systemClock,
    log,
    hit: hitOf(env),
    fetch: createPooledFetch().fetch,
  }
}

/** A named place where the process kills itself, for the tests of what a crash leaves behind. */
function hitOf(env: Readonly<Record<string, string | undefined>>): Hit {
  const name = env['TOLLGATE_FAILPOINT']
  if (name === undefined || name === '') return noFailpoints
  const wanted: Failpoint | undefined = failpoints.find((one) => one === name)
  if (wanted === undefined) throw new ConfigError([`TOLLGATE_FAILPOINT: there is no failpoint "${name}"`])
  return (reached) => {
    if (reached === wanted) process.kill(process.pid, 'SIGKILL')
  }
}

/** Resolves at the first signal to stop; a second one ends the process at once, which the ledger survives. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        resolve()
      })
    }
  })
}

/** Flags as the usage names them, each with whether a value follows it. */
function flagsOf({ usage }: Command): ReadonlyMap<string, boolean> {
  const flags = [...usage.matchAll(/(--[a-z-]+)( \w+)?/g)]
  return new Map(flags.map(([, name = '', value]) => [name, value !== undefined]))
}

/** How many arguments the usage names beside the flags. */
function mostArguments({ usage }: Command): number {
  const [, , ...words] = usage
    .replaceAll(/\[--[^\]]*\]/g, '')
    .trim()
    .split(/\s+/)
  return words.length
}

/** What is wrong with the arguments of a call; one that is ignored does something else than was asked for. */
function wrongArgument(command: Command, args: readonly string[]): string | undefined {
  const flags = flagsOf(command)
  let left = mostArguments(command)
  let isValue = false
  for (const [index, arg] of args.entries()) {
    if (isValue) isValue = false
    else if (/^-./.test(arg)) {
      const takesValue = flags.get(arg)
      if (takesValue === undefined) return `there is no flag "${arg}".`
      const value = args[index + 1]
      if (takesValue && (value === undefined || value.startsWith('--'))) return `the flag ${arg} needs a value.`
      isValue = takesValue
    } else if (left === 0) return `"${arg.slice(0, 80)}" is one argument too many.`
    else left -= 1
  }
  return undefined
}

/** `--port=1` as `--port 1`. */
function withValuesApart(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => {
    const [, name, value] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? []
    return name === undefined || value === undefined ? [arg] : [name, value]
  })
}

/** Why a command failed, in words for the person at the terminal; where it is a fault of the program, with the place. */
function failureText(error: unknown): string {
  if (error instanceof CallError && error.code !== 'internal') {
    return `${error.message}${error.nextStep === undefined ? '' : ` ${error.nextStep}`}`.trimEnd()
  }
  const thrown = error instanceof CallError ? error.cause : error
  if (!(thrown instanceof Error)) return 'The command failed.'
  // A plain Error has a sentence for people; any other kind, such as a TypeError, is a fault.
  const frames = thrown.name === 'Error' ? [] : (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const cause = thrown.cause instanceof Error ? [`    because: ${wordsOf(thrown.cause)}`] : []
  return [thrown.message, ...cause, ...frames].join('\n')
}

/** A connection that was refused at every address of a name comes without a message, but with a code. */
function wordsOf(error: Error): string {
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}

/** Runs one command and gives the exit code: 0 done, 1 failed, 2 used wrongly. */
async function main(argv: readonly string[]): Promise<number> {
  const [first, ...others] = argv
  const rest = withValuesApart(others)
  if (first === '--version' || first === '-v') {
    out(packageInfo.version)
    return 0
  }
  if (first === '--help' || first === '-h' || first === 'help' || (first === undefined && process.stdin.isTTY)) {
    out(helpText())
    return 0
  }
  const name = first ?? 'stdio'
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    note(`tollgate: there is no command "${name}".\n\n${helpText()}`)
    return 2
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    out([command.usage, '', command.summary, ...command.help].join('\n'))
    return 0
  }
  const wrong = wrongArgument(command, rest)
  if (wrong !== undefined) {
    note(`tollgate ${name}: ${wrong}\nUsage: ${command.usage}`)
    return 2
  }
  // A pause between two tries keeps no process alive; a command that is under way must.
  const awake = setInterval(() => {}, 60_000)
  try {
    return await command.run(rest)
  } catch (error) {
    if (error instanceof ConfigError) {
      note(`tollgate: ${error.message}`)
      return 2
    }
    if (error instanceof CallError && rest.includes('--json')) out(JSON.stringify(errorBody(error, 'cli')))
    note(`tollgate: ${failureText(error)}`)
    return command.failure ?? 1
  } finally {
    clearInterval(awake)
  }
}

// A dead stderr must never keep the process busy with reporting that it is dead.
process.stderr.on('error', () => {})
// Whoever reads the output may stop early, such as `head`; what is under way, such as sending transactions, is finished.
process.stdout.on('error', () => {})
process.exitCode = await main(process.argv.slice(2))
// What was written to a pipe may still be on its way.
await Promise.race([new Promise((resolve) => process.stdout.write('', resolve)), systemClock.sleep(2_000)])
// A leaked timer or socket of a library is no reason to stay.
process.exit()
