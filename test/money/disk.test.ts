import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { beforeAll, describe, expect, it } from 'vitest'

import { createDice, type Dice } from '../../scripts/storm/dice.ts'
import { type Disk, makeDisk } from '../../scripts/storm/disk.ts'
import { sqlite } from '../../src/store/database.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import type { FaultyFacilitator } from './faulty-facilitator.ts'
import { createDiskCheck } from './faulty-store.ts'
import { callTool, richWallet } from './test-server.ts'
import { serversOfTests } from './servers-of-tests.ts'
import { freshKey, pay } from './payer.ts'
import { spawnServer, until } from './server.ts'
import { sold, type Surroundings, topUp } from './surroundings.ts'
import { surroundingsOfTests } from './surroundings-of-tests.ts'
import type { Simulator } from './simulator.ts'

const { around, start } = surroundingsOfTests()
let buy: Surroundings['buy']
let chain: Simulator
let facilitator: FaultyFacilitator
let folder: string
let envOf: Surroundings['envOf']

beforeAll(() => {
  ;({ buy, chain, facilitator, folder, envOf } = around())
})

/** A request for the price is answered that payments cannot be taken, and health says why. */
async function expectUninvited(url: string, slug = 'base-gas-tracker'): Promise<void> {
  const endpoint = `${url}/api/agentic/tools/${slug}`
  const health = await fetch(`${url}/api/agentic/health`)
  expect(await health.json()).toMatchObject({ status: 'degraded', ledger: { status: 'down' } })
  for (const [method, body] of [['POST'], ['POST', '{"text":"x"}'], ['GET'], ['HEAD']] as const) {
    const answer = await fetch(endpoint, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    })
    const text = await answer.text()
    // What the tool does not take is said first.
    if (slug !== 'probe' && body !== undefined) continue
    expect(answer.status, `${method} ${text}`).toBe(503)
    expect(answer.headers.get('payment-required')).toBeNull()
    if (method === 'HEAD') continue
    const { error } = JSON.parse(text) as { error: { nextStep: string } }
    expect(error).toMatchObject({ code: 'unavailable', charged: false })
    expect(error.nextStep).toContain('Nothing was charged.')
  }
}

describe('a disk that is full', () => {
  it('takes no new payment, is not ready and says why; what was answered is kept, and all is well when there is room', async () => {
    // The system refuses every write beyond 500 blocks of 512 bytes, which is soon reached by the log of the ledger.
    const limited = await start({
      env: envOf('full'),
      under: ['/bin/sh', '-c', 'ulimit -f 500; exec "$@"', 'sh'],
    })
    const bought: Awaited<ReturnType<typeof buy>>[] = []
    const refused = await until('the disk to be full', async () => {
      const one = await buy(limited.url)
      bought.push(one)
      return one.answer.status === 200 ? undefined : one
    })
    expect(bought.length).toBeGreaterThan(1)
    expect(refused.answer.status).toBeGreaterThanOrEqual(500)
    expect(refused.answer.headers.get('payment-required')).toBeNull()
    expect(refused.answer.text).not.toMatch(/sqlite|disk|I\/O/i)
    // A small write may still fit where a payment does not; each try takes some of what is left.
    const ready = await until('the server to know', async () => {
      const answer = await fetch(`${limited.url}/ready`)
      if (answer.status === 503) return answer
      bought.push(await buy(limited.url))
    })
    expect(await ready.json()).toMatchObject({ ready: false, reason: 'The ledger cannot be written.' })

    await expectUninvited(limited.url)

    const settles = facilitator.calls().filter((call) => call.route === 'settle').length
    const late = await buy(limited.url)
    expect(late.answer.status).toBeGreaterThanOrEqual(500)
    expect(chain.transfersOf(late.payment.nonce)).toHaveLength(0)
    expect(facilitator.calls().filter((call) => call.route === 'settle')).toHaveLength(settles)
    await limited.kill()

    const roomy = await start({ env: envOf('full') })
    for (const one of [...bought, late]) {
      const again = await until('the answer', async () => {
        const answer = await callTool(roomy.url, 'base-gas-tracker', { blocks: 1 }, one.headers)
        expect(answer.status).not.toBe(402)
        return answer.status === 200 ? answer : undefined
      })
      if (one.answer.status === 200) expect(again.text).toBe(one.answer.text)
      expect(chain.transfersOf(one.payment.nonce)).toHaveLength(1)
    }
  })
})

/** All that was not flushed is lost, rather than some of it. */
const allIsLost: Dice = { ...createDice(1, 'disk'), pick: ([first]) => first }

/** A disk under the data folder of that name; undefined where none can be made to fail. */
async function diskUnder(name: string): Promise<Disk | undefined> {
  await mkdir(join(folder, name), { recursive: true })
  const disk = makeDisk(join(folder, name), join(folder, `disk-of-${name}`))
  return typeof disk === 'string' ? undefined : disk
}

describe('the disk of the storm', () => {
  it('loses what was not flushed, and nothing else; is full, is read-only, and is well again', async ({ skip }) => {
    const disk = await diskUnder('lost')
    if (disk === undefined) return skip('There is no C compiler here.')
    const file = join(folder, 'lost', 'ledger.db')
    const write = (code: string): string =>
      execFileSync(process.execPath, ['-e', `const fs = require('fs'), file = ${JSON.stringify(file)}; ${code}`], {
        env: { ...process.env, ...disk.env },
        encoding: 'utf8',
      })
    const add = (text: string): string => `fs.writeSync(fd, '${text}', fs.fstatSync(fd).size);`
    write(`const fd = fs.openSync(file, 'w+'); ${add('flushed ')} fs.fsyncSync(fd); ${add('not flushed ')}`)
    expect(await readFile(file, 'utf8')).toBe('flushed not flushed ')
    expect(disk.losePower(allIsLost)).toBeGreaterThan(0)
    expect(await readFile(file, 'utf8')).toBe('flushed ')
    // Another process flushes what this one has written.
    write(`const fd = fs.openSync(file, 'r+'); ${add('by another')}`)
    write(`fs.fdatasyncSync(fs.openSync(file, 'r+'))`)
    expect(disk.losePower(allIsLost)).toBe(0)
    expect(await readFile(file, 'utf8')).toBe('flushed by another')
    write(`const fd = fs.openSync(file, 'r+'); ${add(' and kept')}`)
    disk.flush()
    expect(disk.losePower(allIsLost)).toBe(0)
    expect(await readFile(file, 'utf8')).toBe('flushed by another and kept')

    const tryTo = (code: string): string => write(`try { ${code} } catch (error) { process.stdout.write(error.code) }`)
    disk.set('full')
    expect(tryTo(`const fd = fs.openSync(file, 'r+'); fs.writeSync(fd, 'F', 0); ${add('more')}`)).toBe('ENOSPC')
    disk.set('read-only')
    expect(tryTo(`fs.openSync(file, 'r+')`)).toBe('EROFS')
    expect(tryTo(`fs.closeSync(fs.openSync(file, 'r'))`)).toBe('')
    disk.set('well')
    expect(tryTo(`const fd = fs.openSync(file, 'r+'); ${add('.')}`)).toBe('')
    expect(await readFile(file, 'utf8')).toBe('Flushed by another and kept.')
  })
})

/** Writes at random, says what it was told to be on the disk, and dies right after that. */
const writer = (file: string, seed: number): string => `
  import { writeSync } from 'node:fs'
  const { createDice } = await import(${moduleAt('../../scripts/storm/dice.ts')})
  const { sqlite } = await import(${moduleAt('../../src/store/database.ts')})
  const { createGroupCommit } = await import(${moduleAt('../../src/store/group-commit.ts')})
  const dice = createDice(${seed}, 'writer')
  const db = (await sqlite())(${JSON.stringify(file)})
  // The log is copied into the file every few commits, and what is being written does not fit into the cache.
  for (const one of ['journal_mode=WAL', 'synchronous=NORMAL', 'wal_autocheckpoint=60', 'cache_size=10'])
    db.exec('pragma ' + one)
  db.exec('create table seen (name integer primary key, body text not null)')
  const insert = db.prepare('insert into seen values (?, ?)')
  const { write } = createGroupCommit(db)
  const ends = dice.between(150, 400)
  for (let name = 0; ; name += 1) {
    const one = (fails) => () => {
      insert.run(fails ? -name : name, 'x'.repeat(dice.between(1, 9_000)))
      if (fails) throw new Error('no more')
    }
    const isDurable = dice.chance(0.3)
    const neighbours = dice.chance(0.3) ? [write(one(true), dice.chance(0.5)).catch(() => {})] : []
    await Promise.all([...neighbours, write(one(false), isDurable)])
    if (isDurable) writeSync(1, name + ' ')
    if (name >= ends && isDurable) process.kill(process.pid, 'SIGKILL')
  }`

const moduleAt = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)

describe('a commit that is flushed', () => {
  it.for([1, 2, 3])(
    'is on the disk with all before it: after others that are not, that fail or are copied into the file (%i)',
    async (seed, { skip }) => {
      const disk = await diskUnder(`commits-${seed}`)
      if (disk === undefined) return skip('There is no C compiler here.')
      const file = join(folder, `commits-${seed}`, 'ledger.db')
      const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', writer(file, seed)], {
        env: { ...process.env, ...disk.env },
        encoding: 'utf8',
      })
      expect(signal).toBe('SIGKILL')
      disk.losePower(allIsLost)
      const last = Number(stdout.trim().split(' ').at(-1))
      expect(last).toBeGreaterThan(50)
      const db = (await sqlite())(file)
      const names = db.prepare('select name from seen order by name').all()
      db.close()
      expect(names.slice(0, last + 1)).toEqual(Array.from({ length: last + 1 }, (_, name) => ({ name })))
    },
  )
})

describe('a machine', () => {
  it('whose disk turns read-only and whose power is lost keeps every answer that was paid for', async ({ skip }) => {
    const disk = await diskUnder('power')
    if (disk === undefined) return skip('There is no C compiler here.')
    const env = { ...envOf('power'), ...disk.env }
    const first = await start({ env })
    const bought = [await buy(first.url), await buy(first.url)]
    disk.set('read-only')
    const refused = await buy(first.url)
    expect(refused.answer.status).toBeGreaterThanOrEqual(500)
    expect(chain.transfersOf(refused.payment.nonce)).toHaveLength(0)
    disk.set('well')
    await until('payments to be taken again', async () => {
      const one = await buy(first.url)
      bought.push(one)
      return one.answer.status === 200 ? one : undefined
    })
    await first.kill()
    expect(disk.losePower(allIsLost)).toBeGreaterThan(0)

    const second = await start({ env })
    for (const { payment, headers, answer } of [...bought, refused]) {
      const again = await until('the answer', async () => {
        const one = await callTool(second.url, 'base-gas-tracker', { blocks: 1 }, headers)
        expect(one.status).not.toBe(402)
        return one.status === 200 ? one : undefined
      })
      if (answer.status === 200) expect(again.text).toBe(answer.text)
      expect(chain.transfersOf(payment.nonce)).toHaveLength(1)
    }
  })
})

describe('a loss of power right after an answer', () => {
  /** What was not flushed when the answer came is gone, and a server starts on what is left. */
  async function loseAfter<T>(
    name: string,
    told: (url: string) => Promise<T>,
  ): Promise<{ url: string; of: T } | undefined> {
    const disk = await diskUnder(name)
    if (disk === undefined) return undefined
    const env = { ...envOf(name), ...disk.env }
    const first = await start({ env })
    const of = await told(first.url)
    await first.kill()
    disk.losePower(allIsLost)
    const { url } = await start({ env })
    return { url, of }
  }

  const send = (url: string, headers: Readonly<Record<string, string>>) => callTool(url, sold, { blocks: 1 }, headers)

  /** Buys, and goes on asking until a new signature is asked for. */
  async function refused(url: string): Promise<Awaited<ReturnType<typeof buy>>> {
    // Whoever asks for a price has the disk flushed once a second, and so whatever was written until then.
    const askPrice = () => fetch(`${url}/api/agentic/tools/${sold}`, { method: 'POST' }).catch(() => undefined)
    const asking = setInterval(() => void askPrice(), 100)
    const one = await buy(url)
    await until('the order to sign again', async () =>
      (await send(url, one.headers)).status === 402 ? true : undefined,
    ).finally(() => clearInterval(asking))
    return one
  }

  it('never charges a payment whose payer was told to sign again, because it failed to settle', async ({ skip }) => {
    facilitator.script('settle', ['refuse'])
    const after = await loseAfter('failed', refused)
    if (after === undefined) return skip('There is no C compiler here.')
    const { payment, headers } = after.of
    const settles = facilitator.settlesOf(payment.nonce)
    expect((await send(after.url, headers)).status).toBe(402)
    // Long enough for the sweeper, which looks every second.
    await sleep(2_500)
    expect((await send(after.url, headers)).status).toBe(402)
    expect(facilitator.settlesOf(payment.nonce)).toBe(settles)
    expect(chain.transfersOf(payment.nonce)).toHaveLength(0)
  })

  it('lets the next payment have the idempotency key of the one that failed', async ({ skip }) => {
    facilitator.script('settle', ['refuse'])
    const after = await loseAfter('key', refused)
    if (after === undefined) return skip('There is no C compiler here.')
    const { wallet, headers } = after.of
    const next = await pay(wallet, await around().acceptsOf(after.url))
    const answer = await send(after.url, { ...headers, 'payment-signature': next.header })
    expect(answer.status, answer.text).toBe(200)
  })

  it('never charges a payment that was refused before it was handed on', async ({ skip }) => {
    facilitator.script('verify', ['refuse'])
    const after = await loseAfter('refused', refused)
    if (after === undefined) return skip('There is no C compiler here.')
    const { payment, headers } = after.of
    expect((await send(after.url, headers)).status).toBe(402)
    expect(chain.transfersOf(payment.nonce)).toHaveLength(0)
  })

  it('leaves a balance as its payer was told', async ({ skip }) => {
    const after = await loseAfter('top-up', (url) => topUp(around(), url))
    if (after === undefined) return skip('There is no C compiler here.')
    const drawn = await send(after.url, after.of)
    expect(drawn.status, drawn.text).toBe(200)
  })
})

describe('a data folder', () => {
  it('that another server uses is refused at the start, with what to do', async () => {
    const first = await start({ env: envOf('shared') })
    const second = spawnServer({ env: envOf('shared') })
    expect(await second.ready).toBeUndefined()
    expect((await second.ended).code).toBe(1)
    expect(second.log()).toContain('in use by another Tollgate')
    expect(second.log()).toContain('TOLLGATE_DATA_DIR')
    expect((await buy(first.url)).answer.status).toBe(200)
  })

  it('that cannot be written is refused at the start', async () => {
    await writeFile(join(folder, 'file'), '')
    const server = spawnServer({ env: envOf('file') })
    expect(await server.ready).toBeUndefined()
    expect((await server.ended).code).not.toBe(0)
  })
})

describe('a store that fails', () => {
  const startWith = serversOfTests()

  /** A real store whose writes fail on demand, before or after they are done. */
  async function failingStore(): Promise<{ readonly store: Store; fail: 'no' | 'before' | 'after' }> {
    const real = await openSqliteStore(':memory:')
    const control: { store: Store; fail: 'no' | 'before' | 'after' } = { store: real, fail: 'no' }
    const failing =
      <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        if (control.fail === 'before') throw new Error('EIO: i/o error, fsync')
        const value = await work(...args)
        if (control.fail === 'after') throw new Error('EIO: i/o error, fsync')
        return value
      }
    const { payments } = real
    control.store = {
      ...real,
      payments: { ...payments, claim: failing(payments.claim), move: failing(payments.move) },
    }
    return control
  }

  it.each(['before', 'after'] as const)(
    '%s it has written that an answer is ready: the outcome is open, and no second signature is asked for',
    async (moment) => {
      const control = await failingStore()
      const server = await startWith({ store: control.store })
      const payment = await pay(richWallet(server), await server.acceptsOf('probe'))
      const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
      server.probes.onRun = () => {
        control.fail = moment
      }
      const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
      expect(answer.status).toBe(503)
      expect(answer.body.error).toMatchObject({ code: 'settlement_pending', charged: 'unknown' })
      expect(server.facilitator.settlesOf(payment.nonce)).toBe(0)

      control.fail = 'no'
      server.probes.onRun = () => {}
      const last = await until('the answer', async () => {
        server.clock.advance(35_000)
        await server.served.server.ledger.sweep()
        const again = await callTool(server.url, 'probe', { text: 'x' }, headers)
        expect(again.status).not.toBe(402)
        return again.status === 200 ? again : undefined
      })
      expect(last.text).toContain('"run"')
      expect(server.chain.transfersOf(payment.nonce)).toHaveLength(1)
    },
  )

  it('when it is checked: nobody is invited to pay until it takes writes again', async () => {
    const real = await openSqliteStore(':memory:')
    const disk = createDiskCheck()
    const server = await startWith({ store: { ...real, check: disk.check } })
    const endpoint = `${server.url}/api/agentic/tools/probe`
    for (let count = 0; count < 20; count += 1) {
      expect((await fetch(endpoint, { method: 'POST' })).status).toBe(402)
    }
    expect(disk.checks).toBe(1)
    disk.isBroken = true
    server.clock.advance(1_000)
    await expectUninvited(server.url, 'probe')
    expect(disk.checks).toBe(2)
    disk.isBroken = false
    server.clock.advance(1_000)
    expect((await fetch(endpoint, { method: 'HEAD' })).status).toBe(402)
    expect((await fetch(endpoint, { method: 'POST' })).status).toBe(402)
    expect(server.lines.filter((line) => line.includes('ledger.not_writable'))).toHaveLength(1)
  })

  it('when a payment is written: the next one is not invited, though the check says that all is well', async () => {
    const control = await failingStore()
    const server = await startWith({ store: control.store })
    const payment = await pay(richWallet(server), await server.acceptsOf('probe'))
    control.fail = 'before'
    await callTool(server.url, 'probe', { text: 'x' }, { 'payment-signature': payment.header })
    await expectUninvited(server.url, 'probe')
    control.fail = 'no'
    server.clock.advance(1_000)
    expect((await callTool(server.url, 'probe', { text: 'x' })).status).toBe(402)
  })

  it('when the payment is claimed: nothing runs and nothing moves', async () => {
    const control = await failingStore()
    const server = await startWith({ store: control.store })
    const payment = await pay(richWallet(server), await server.acceptsOf('probe'))
    control.fail = 'before'
    const answer = await callTool(server.url, 'probe', { text: 'x' }, { 'payment-signature': payment.header })
    control.fail = 'no'
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.body.error).toMatchObject({ code: 'unavailable', charged: false })
    expect(answer.text).not.toContain('EIO')
    expect(server.probes.runs()).toBe(0)
    expect(server.facilitator.calls()).toHaveLength(0)
  })
})
