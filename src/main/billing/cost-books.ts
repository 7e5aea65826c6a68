import type { AccountId } from '#shared/bridge/account'
import type { Clock } from '../core/clock'
import type { Charges } from './costs/charges'
import type { CostBook } from './costs/cost-book'
import type { UsageRecord } from './costs/usage-record'

/** What the costs of an account follow from besides the time. Two that are equal in every field give the same book. */
export interface CostRevision {
  /** Statements and usage: other objects once anything in them has changed. */
  readonly charges: Charges
  readonly ledgerUsage: readonly UsageRecord[] | null
  readonly liveUsage: unknown
  /** Counts what was seen of resources. */
  readonly history: number
  /** The currency that is assumed where none is reported. */
  readonly assumedCurrency: string
  /** Epoch seconds until when active resources are taken to run; null: until now. */
  readonly runsUntil: number | null
}

/** Seconds that a book is used for: what runs costs more with time alone. */
export const bookLifetime = 60

const isSame = (one: CostRevision, other: CostRevision): boolean =>
  one.charges === other.charges &&
  one.ledgerUsage === other.ledgerUsage &&
  one.liveUsage === other.liveUsage &&
  one.history === other.history &&
  one.assumedCurrency === other.assumedCurrency &&
  one.runsUntil === other.runsUntil

/**
 * The cost book of each account, built once per revision: all questions of a page are answered from the same book, and
 * so as of the same moment. `build` gets the moment (epoch seconds) that the book is for.
 */
export function createCostBooks(
  now: Clock['now'],
  revisionOf: (account: AccountId) => CostRevision,
  build: (account: AccountId, revision: CostRevision, now: number) => CostBook,
) {
  const books = new Map<AccountId, { readonly revision: CostRevision; readonly book: CostBook }>()
  return {
    of(account: AccountId): CostBook {
      const revision = revisionOf(account)
      const at = Math.floor(now())
      const known = books.get(account)
      const age = known ? at - known.book.now : 0
      // A negative age: the clock was set back.
      if (known && isSame(known.revision, revision) && age >= 0 && age < bookLifetime) return known.book
      const book = build(account, revision, at)
      books.set(account, { revision, book })
      return book
    },
    forgetAccount: (account: AccountId): void => void books.delete(account),
  }
}
