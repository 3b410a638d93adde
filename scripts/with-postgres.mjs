// Runs a command with a Postgres of its own, where Postgres is installed: node scripts/with-postgres.mjs npm test
// The server listens on loopback, keeps its data in a temporary folder, and is gone afterwards.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, chownSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [command, ...args] = process.argv.slice(2)
const home = '/usr/lib/postgresql'
const versions = existsSync(home) ? readdirSync(home).sort((a, b) => Number(b) - Number(a)) : []
const bin = versions.map((version) => join(home, version, 'bin')).find((path) => existsSync(join(path, 'initdb')))

const run = (env) => {
  const done = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  return done.status ?? 1
}

if (bin === undefined) {
  process.stderr.write('No Postgres is installed here: the tests of the store for several nodes are skipped.\n')
  process.exit(run({}))
}

// Postgres refuses to run as root; the account that its package made does instead.
const isRoot = process.getuid?.() === 0
const id = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim())
const account = isRoot ? { uid: id('-u'), gid: id('-g') } : {}
const folder = mkdtempSync(join(tmpdir(), 'tollgate-postgres-'))
if (isRoot) chownSync(folder, account.uid, account.gid)
const postgres = (program, parameters) =>
  spawnSync(join(bin, program), parameters, {
    ...account,
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '' },
  })

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = probe.address()
    probe.close(() => resolve(free))
  })
})
const data = join(folder, 'data')
let status = 1
try {
  const made = postgres('initdb', ['-D', data, '-U', 'tollgate', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  if (made.status !== 0) throw new Error(made.stderr)
  const options = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    // No test ends the machine's power, and this server ends with its data: nothing has to be on the disk.
    'fsync=off',
    'full_page_writes=off',
  ]
    .map((option) => `-c ${option}`)
    .join(' ')
  const started = postgres('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start'])
  if (started.status !== 0) throw new Error(started.stderr)
  status = run({ TOLLGATE_TEST_DATABASE_URL: `postgres://tollgate@127.0.0.1:${port}/postgres` })
} finally {
  if (existsSync(data)) postgres('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
  rmSync(folder, { recursive: true, force: true })
}
process.exit(status)
