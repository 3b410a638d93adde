import type { Receipt } from './chain.ts'
import { type Attempt, type LaneTransaction, type Notes, readNote, writeNote } from './lane-note.ts'

/** What was signed and is in no block yet, and the last receipts. */
export type LaneBook = {
  /** Reads the note of an earlier process, once. */
  readonly load: () => Promise<void>
  /** Another process may have written the note: it is read again before anything else is done. */
  readonly reload: () => void
  readonly transactions: () => readonly LaneTransaction[]
  readonly find: (key: string) => LaneTransaction | undefined
  /** Writes it down before it is sent. @throws where that failed; then it is as if it had not been signed. */
  readonly add: (transaction: LaneTransaction) => Promise<void>
  readonly addAttempt: (transaction: LaneTransaction, attempt: Attempt) => Promise<void>
  readonly drop: (transaction: LaneTransaction) => void
  readonly done: (transaction: LaneTransaction, receipt: Receipt) => void
  readonly receiptOf: (key: string) => Receipt | undefined
  /** When it was handed to the chain last by this process. */
  readonly sentAt: Map<string, number>
  /** When the chain was first seen beyond a nonce without a receipt; another node may not have it yet. */
  readonly passedAt: Map<string, number>
}

const keptReceipts = 1_000

export function createLaneBook(notes: Notes, name: string): LaneBook {
  let transactions: LaneTransaction[] = []
  /** The note as it was read or written last. */
  let text: string | undefined
  let loaded: Promise<void> | undefined
  const receipts = new Map<string, Receipt>()
  const sentAt = new Map<string, number>()
  const passedAt = new Map<string, number>()

  const readEntries = async (): Promise<void> => {
    try {
      text = await notes.get(name)
      transactions = [...readNote(text)]
    } catch (error) {
      // Asked again by the next payment: nothing is sent before it is known what was.
      loaded = undefined
      throw error
    }
  }

  const reload = (): void => {
    loaded = undefined
  }

  const keep = async (): Promise<void> => {
    const next = writeNote(transactions)
    let isKept: boolean
    try {
      isKept = await notes.replace(name, text, next)
    } catch (error) {
      // It may have been written all the same.
      reload()
      throw error
    }
    if (!isKept) {
      reload()
      throw new Error('Another process has used the wallet that pays the gas.')
    }
    text = next
  }

  const drop = ({ key }: LaneTransaction): void => {
    transactions = transactions.filter((one) => one.key !== key)
    sentAt.delete(key)
    passedAt.delete(key)
  }

  return {
    load: () => (loaded ??= readEntries()),
    reload,
    transactions: () => transactions,
    find: (key) => transactions.find((transaction) => transaction.key === key),
    add: async (transaction) => {
      transactions.push(transaction)
      try {
        await keep()
      } catch (error) {
        drop(transaction)
        throw error
      }
    },
    addAttempt: async (transaction, attempt) => {
      transaction.attempts.push(attempt)
      try {
        await keep()
      } catch (error) {
        transaction.attempts.splice(transaction.attempts.indexOf(attempt), 1)
        throw error
      }
    },
    drop,
    done: (transaction, receipt) => {
      drop(transaction)
      receipts.set(transaction.key, receipt)
      if (receipts.size > keptReceipts) receipts.delete(receipts.keys().next().value ?? '')
    },
    receiptOf: (key) => receipts.get(key),
    sentAt,
    passedAt,
  }
}
