import { feeFor } from '#shared/money/fee'
import { shareOf } from '#shared/money/prorate'
import { countBefore } from './charges'
import type { CostBook } from './cost-book'

type Values = Float64Array<ArrayBuffer>

/** What costs come to, one value per stretch of time, in millionths. `ahead` is charged for time that has not passed yet. */
export interface Amounts {
  readonly charged: Values
  readonly estimated: Values
  readonly ahead: Values
}

/** A line of a table: what is counted together, in one currency. */
export interface TallyRow<Group> extends Amounts {
  readonly group: Group
  readonly currency: string
  /** Some of it is in an assumed currency. */
  readonly assumed: boolean
}

interface OpenRow<Group> extends Amounts {
  readonly group: Group
  readonly currency: string
  assumed: boolean
}

const add = (values: Values, index: number, amount: number): void => {
  values[index] = (values[index] ?? 0) + amount
}

/**
 * Adds up what each group costs in each currency between every two of `bounds`, which ascend (two may be equal). A
 * group is what `groupOf` answers for a resource (its index in the book) and a currency; undefined leaves it out.
 */
export function tally<Group extends string | number>(
  book: CostBook,
  bounds: readonly number[],
  groupOf: (resource: number, currency: string) => Group | undefined,
): readonly TallyRow<Group>[] {
  const { charges, currencies, now } = book
  const buckets = Math.max(0, bounds.length - 1)
  const start = bounds[0] ?? 0
  const end = bounds[buckets] ?? 0
  const rows = new Map<string, OpenRow<Group>>()
  // Which row a resource and a currency belong to is asked once each.
  const known: (OpenRow<Group> | null | undefined)[] = []

  function findRow(resource: number, currencyIndex: number): OpenRow<Group> | null {
    const { currency, assumed } = currencies[currencyIndex] ?? { currency: '', assumed: true }
    const group = groupOf(resource, currency)
    if (group === undefined) return null
    const key = `${currency} ${group}`
    const row: OpenRow<Group> = rows.get(key) ?? {
      group,
      currency,
      assumed: false,
      charged: new Float64Array(buckets),
      estimated: new Float64Array(buckets),
      ahead: new Float64Array(buckets),
    }
    row.assumed ||= assumed
    rows.set(key, row)
    return row
  }
  function rowOf(resource: number, currency: number): OpenRow<Group> | null {
    const index = resource * currencies.length + currency
    const row = known[index] ?? (known[index] === undefined ? findRow(resource, currency) : null)
    known[index] = row
    return row
  }

  /** Shares what covers [from, until) out over the buckets from `bucket` on; `part` tells what falls between two moments. */
  function share(
    row: Amounts,
    past: Values,
    part: (start: number, end: number) => number,
    from: number,
    until: number,
    bucket: number,
  ) {
    for (let index = bucket; index < buckets; index += 1) {
      const low = bounds[index] ?? 0
      const high = bounds[index + 1] ?? 0
      if (low >= until && low > from) return
      if (high <= now) add(past, index, part(low, high))
      else if (low >= now) add(row.ahead, index, part(low, high))
      else {
        add(past, index, part(low, now))
        add(row.ahead, index, part(now, high))
      }
    }
  }

  let bucket = 0
  for (let index = countBefore(charges, start - charges.longest); index < charges.count; index += 1) {
    const from = charges.from[index] ?? 0
    const until = charges.until[index] ?? 0
    if (from >= end) break
    if (until <= start && from < start) continue
    while (bucket < buckets - 1 && (bounds[bucket + 1] ?? 0) <= from) bucket += 1
    const resource = charges.resource[index] ?? 0
    const currency = book.currencyOfCharge[resource * charges.currencies.length + (charges.told[index] ?? 0)]
    const row = rowOf(book.resourceOfCharge[resource] ?? 0, currency ?? 0)
    const millionths = charges.millionths[index] ?? 0
    const part = (low: number, high: number) => shareOf(millionths, from, until, low, high)
    if (row) share(row, row.charged, part, from, until, bucket)
  }
  for (const { resource, currency, from, until, fee } of book.tails) {
    if (until <= start || from >= end) continue
    const row = rowOf(resource, currency)
    const upTo = (time: number) => feeFor(fee, Math.max(from, Math.min(time, until)) - from)
    if (row) share(row, row.estimated, (low, high) => upTo(high) - upTo(low), from, until, 0)
  }
  return [...rows.values()]
}

export const sumOf = (values: Values): number => values.reduce((sum, value) => sum + value, 0)

/** What has passed, of all stretches together. */
export const totalOf = ({ charged, estimated }: Amounts): number => sumOf(charged) + sumOf(estimated)
