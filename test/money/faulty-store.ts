import type { Store } from '../../src/store/store.ts'

/** A check of whether the disk takes writes, which fails while `isBroken`; it counts how often it is made. */
export function createDiskCheck() {
  const disk = {
    checks: 0,
    isBroken: false,
    check: async (): Promise<void> => {
      disk.checks += 1
      if (disk.isBroken) throw new Error('EROFS: read-only file system')
    },
  }
  return disk
}

/** What a ledger's database can do wrong: fail to read, to write, or both. */
export type StoreFault = 'none' | 'reads' | 'writes' | 'all'

/** A store whose database fails on demand; what is written before is kept. */
export function createFaultyStore(store: Store): { readonly store: Store; readonly set: (fault: StoreFault) => void } {
  let fault: StoreFault = 'none'
  const broken = (kind: 'reads' | 'writes'): boolean => fault === kind || fault === 'all'
  const guard =
    <A extends readonly unknown[], R>(kind: 'reads' | 'writes', work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (broken(kind)) throw new Error('The database is away.')
      return work(...args)
    }
  const { payments, counters, notes, payers, accounts } = store
  return {
    set: (next) => {
      fault = next
    },
    store: {
      ...store,
      payments: {
        ...payments,
        claim: guard('writes', payments.claim),
        reclaim: guard('writes', payments.reclaim),
        move: guard('writes', payments.move),
        release: guard('writes', payments.release),
        refuse: guard('writes', payments.refuse),
        takeDue: guard('writes', payments.takeDue),
        takeEarly: guard('writes', payments.takeEarly),
        get: guard('reads', payments.get),
        holderOf: guard('reads', payments.holderOf),
        unknown: guard('reads', payments.unknown),
        totals: guard('reads', payments.totals),
      },
      counters: { ...counters, take: guard('writes', counters.take), claimOnce: guard('writes', counters.claimOnce) },
      notes: {
        get: guard('reads', notes.get),
        set: guard('writes', notes.set),
        replace: guard('writes', notes.replace),
      },
      payers: {
        ...payers,
        get: guard('reads', payers.get),
        notePaid: guard('writes', payers.notePaid),
        strike: guard('writes', payers.strike),
      },
      accounts: {
        ...accounts,
        get: guard('reads', accounts.get),
        creditFor: guard('reads', accounts.creditFor),
        draw: guard('reads', accounts.draw),
        drawByKey: guard('reads', accounts.drawByKey),
        entryOf: guard('reads', accounts.entryOf),
        enter: guard('writes', accounts.enter),
        reserve: guard('writes', accounts.reserve),
        take: guard('writes', accounts.take),
        giveBack: guard('writes', accounts.giveBack),
      },
      check: guard('writes', store.check),
    },
  }
}
