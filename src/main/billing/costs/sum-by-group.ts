import { feeFor } from '#shared/money/fee'
import { shareOf } from '#shared/money/prorate'
import type { ChargedDay } from './charge'
import type { CostBook } from './cost-book'

type Values = Float64Array<ArrayBuffer>

/** Sums in millionths, one per bucket of time. `ahead` is charged for time that has not passed yet. */
export interface Amounts {
  readonly charged: Values
  readonly estimated: Values
  readonly ahead: Values
}

/** Costs of one group in one currency. */
interface GroupSums<Group> extends Amounts {
  readonly group: Group
  readonly currency: string
  /** The currency of some of it is assumed. */
  readonly assumed: boolean
}

interface OpenSums<Group> extends Amounts {
  readonly group: Group
  readonly currency: string
  assumed: boolean
}

const add = (values: Values, bucket: number, amount: number): void => {
  values[bucket] = (values[bucket] ?? 0) + amount
}

/** Returns the days that lie between the first and the last of `bounds`. */
export const daysBetween = ({ charges }: CostBook, bounds: readonly number[]): readonly ChargedDay[] =>
  charges.days(bounds[0] ?? 0, bounds.at(-1) ?? 0)

/** Number of days in a bucket from which on their lines are summed before groups are looked up. */
const manyDays = 8

/** Sums days line by line. */
export function sumOfDays(days: readonly ChargedDay[]): Omit<ChargedDay, 'day'> {
  let highest = -1
  for (const { lines } of days) for (const line of lines) highest = Math.max(highest, line)
  const totals = new Float64Array(highest + 1)
  for (const { lines, millionths } of days)
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? 0
      totals[line] = (totals[line] ?? 0) + (millionths[at] ?? 0)
    }
  const lines = Int32Array.from(totals.keys()).filter((line) => totals[line] !== 0)
  return { lines, millionths: Float64Array.from(lines, (line) => totals[line] ?? 0) }
}

interface DaysOfBucket {
  readonly bucket: number
  readonly isAhead: boolean
  readonly days: ChargedDay[]
}

/** Groups consecutive days by bucket, past days apart from later ones. The day that contains `now` counts as past. */
function daysByBucket(
  days: readonly ChargedDay[],
  bucketAt: (time: number, from: number) => number,
  now: number,
): readonly DaysOfBucket[] {
  const groups: DaysOfBucket[] = []
  for (const day of days) {
    const last = groups.at(-1)
    const bucket = bucketAt(day.day, last?.bucket ?? 0)
    const isAhead = day.day > now
    if (last?.bucket === bucket && last.isAhead === isAhead) last.days.push(day)
    else groups.push({ bucket, isAhead, days: [day] })
  }
  return groups
}

/** Finds the sums of groups, and creates them on demand. */
function openSums<Group extends string | number>(
  book: CostBook,
  buckets: number,
  groupOf: (resource: number, currency: string) => Group | undefined,
) {
  const all = new Map<string, OpenSums<Group>>()
  const byEntry: (OpenSums<Group> | null | undefined)[] = []
  const byLine: (OpenSums<Group> | null | undefined)[] = []

  function find(resource: number, { currency, assumed }: CostBook['currencies'][number]) {
    const group = groupOf(resource, currency)
    if (group === undefined) return null
    const key = `${currency} ${group}`
    const sums: OpenSums<Group> = all.get(key) ?? {
      group,
      currency,
      assumed: false,
      charged: new Float64Array(buckets),
      estimated: new Float64Array(buckets),
      ahead: new Float64Array(buckets),
    }
    sums.assumed ||= assumed
    all.set(key, sums)
    return sums
  }
  /** Null if no group contains the resource. */
  function of(resource: number, currency: number): OpenSums<Group> | null {
    const entry = resource * book.currencies.length + currency
    const known = byEntry[entry]
    if (known !== undefined) return known
    const named = book.currencies[currency]
    return (byEntry[entry] = named ? find(resource, named) : null)
  }
  function findLine(line: number): OpenSums<Group> | null {
    const known = book.lines[line]
    return (byLine[line] = known ? of(known.resource, known.currency) : null)
  }
  return {
    of,
    ofLine(line: number): OpenSums<Group> | null {
      const known = byLine[line]
      return known === undefined ? findLine(line) : known
    },
    all: (): readonly GroupSums<Group>[] => [...all.values()],
  }
}

/**
 * Sums the costs of each group, in each currency, between every two of `bounds`. The bounds ascend; two may be equal.
 * Each bound is the beginning of a local day, or infinite. `groupOf` returns the group of a resource (its index in
 * the book) in a currency, or undefined to leave it out. `days`: result of `daysBetween`.
 */
export function sumByGroup<Group extends string | number>(
  book: CostBook,
  bounds: readonly number[],
  groupOf: (resource: number, currency: string) => Group | undefined,
  days = daysBetween(book, bounds),
): readonly GroupSums<Group>[] {
  const { now, tomorrow } = book
  const buckets = Math.max(0, bounds.length - 1)
  const sums = openSums(book, buckets, groupOf)
  const boundAt = (index: number): number => bounds[index] ?? Infinity

  /** Returns the first bucket that ends after `time`. */
  function bucketAt(time: number, from = 0): number {
    let bucket = from
    while (bucket < buckets && boundAt(bucket + 1) <= time) bucket += 1
    return bucket
  }

  for (const { bucket, isAhead, days: own } of daysByBucket(days, bucketAt, now)) {
    if (bucket === buckets) break
    for (const { lines, millionths } of own.length < manyDays ? own : [sumOfDays(own)])
      // This loop runs for each line and day, and allocates nothing.
      for (let at = 0; at < lines.length; at += 1) {
        const row = sums.ofLine(lines[at] ?? 0)
        if (row !== null) add(isAhead ? row.ahead : row.charged, bucket, millionths[at] ?? 0)
      }
  }
  // The day that contains `now` was counted as past.
  const today = bucketAt(now)
  if (today < buckets && boundAt(today) <= now)
    for (const { line, from, until, millionths } of book.endingLater) {
      const rest = shareOf(millionths, from, until, now, tomorrow)
      const row = rest === 0 ? null : sums.ofLine(line)
      if (row === null) continue
      add(row.charged, today, -rest)
      add(row.ahead, today, rest)
    }
  for (const { line, from, until, millionths } of book.charges.unspread) {
    if (from >= boundAt(buckets) || Math.max(from + 1, until) <= boundAt(0)) continue
    const row = millionths === 0 ? null : sums.ofLine(line)
    if (row === null) continue
    for (let at = bucketAt(from); at < buckets; at += 1) {
      const [start, end] = [boundAt(at), boundAt(at + 1)]
      if (start >= Math.max(from + 1, until)) break
      if (start < now) add(row.charged, at, shareOf(millionths, from, until, start, Math.min(end, now)))
      if (end > now) add(row.ahead, at, shareOf(millionths, from, until, Math.max(start, now), end))
    }
  }
  for (const { resource, currency, from, until, fee } of book.tails) {
    if (until <= boundAt(0) || from >= boundAt(buckets)) continue
    const row = sums.of(resource, currency)
    if (row === null) continue
    let before = from < boundAt(0) ? feeFor(fee, boundAt(0) - from) : 0
    for (let at = bucketAt(from); at < buckets && boundAt(at) < until; at += 1) {
      const upTo = feeFor(fee, Math.min(boundAt(at + 1), until) - from)
      add(row.estimated, at, upTo - before)
      before = upTo
    }
  }
  return sums.all()
}

export const sumOf = (values: Values): number => values.reduce((sum, value) => sum + value, 0)

/** Returns the cost up to now in all buckets together. */
export const totalOf = ({ charged, estimated }: Amounts): number => sumOf(charged) + sumOf(estimated)
