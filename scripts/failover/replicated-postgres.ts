import { execFile } from 'node:child_process'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { freePort } from '../../test/harness/free-port.ts'

/**
 * Two clusters of Postgres, the second a synchronous replica of the first, behind one address that follows the primary.
 */
export type ReplicatedPostgres = {
  /** For `DATABASE_URL`. */
  readonly url: string
  /** The primary ends as a machine that loses power: no connection is closed in order, nothing more is written. */
  readonly failPrimary: () => Promise<void>
  /** The replica becomes the primary, and the address leads to it. */
  readonly promote: () => Promise<void>
  /** The primary that failed is started again, with what it had written. */
  readonly restartPrimary: () => Promise<void>
  readonly stop: () => Promise<void>
}

const home = '/usr/lib/postgresql'
const run = promisify(execFile)

/** @throws Error where no Postgres is installed as Debian does it. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const [version] = (await readdir(home)).toSorted((a, b) => Number(b) - Number(a))
  const bin = join(home, version ?? '', 'bin')
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-failover-'))
  const account = await accountOf(folder)
  const postgres = (program: string, args: readonly string[]) =>
    run(join(bin, program), [...args], { ...account, cwd: folder })
  const [primary, replica] = [join(folder, 'primary'), join(folder, 'replica')]
  const ports = { primary: await freePort(), replica: await freePort() }
  const start = (data: string, port: number) => {
    const options = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`]
    const text = options.map((option) => `-c ${option}`).join(' ')
    return postgres('pg_ctl', ['-D', data, '-w', '-l', `${data}.log`, '-o', text, 'start'])
  }
  const ask = (sql: string) =>
    postgres('psql', ['-h', '127.0.0.1', '-p', String(ports.primary), '-U', 'tollgate', '-d', 'postgres', '-c', sql])
  await postgres('initdb', ['-D', primary, '-U', 'tollgate', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  await start(primary, ports.primary)
  const from = `host=127.0.0.1 port=${ports.primary} user=tollgate`
  await postgres('pg_basebackup', ['-d', from, '-D', replica, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
  await start(replica, ports.replica)
  // From here on nothing counts as committed that only one of them has.
  await ask(`alter system set synchronous_standby_names = '*'`)
  await ask('select pg_reload_conf()')
  const address = await startAddress(ports.primary)
  const end = (data: string) => postgres('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']).catch(() => undefined)
  return {
    url: `postgres://tollgate@127.0.0.1:${address.port}/postgres`,
    failPrimary: async () => {
      await end(primary)
      address.cut()
    },
    promote: async () => {
      await postgres('pg_ctl', ['-D', replica, '-w', 'promote'])
      address.lead(ports.replica)
    },
    restartPrimary: async () => {
      await start(primary, ports.primary)
      address.lead(ports.primary)
    },
    stop: async () => {
      address.stop()
      await Promise.all([end(primary), end(replica)])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Postgres refuses to run as root; the account that its package made does instead. */
async function accountOf(folder: string): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout.trim())
  const [uid, gid] = [await id('-u'), await id('-g')]
  await chown(folder, uid, gid)
  return { uid, gid }
}

/** What a floating address or a name with a short life is elsewhere. */
async function startAddress(first: number) {
  let target: number | undefined = first
  const open = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    open.add(socket)
    return socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
  }
  const server = createServer((socket) => {
    keep(socket)
    if (target === undefined) {
      socket.destroy()
      return
    }
    const onward = keep(connect(target, '127.0.0.1'))
    socket.pipe(onward).pipe(socket)
    socket.on('close', () => onward.destroy())
    onward.on('close', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    target = undefined
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    lead: (port: number) => {
      target = port
    },
    stop: () => {
      cut()
      server.close()
    },
  }
}
