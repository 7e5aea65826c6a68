import { feeFor } from '#shared/money/fee'
import { portion } from '#shared/money/prorate'
import type { CostBook } from './cost-book'
import { eachDaySum, firstReaching, wholeDays } from './day-sums'

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

  // Days that are over are summed up already; one by one come the statements of those after `begin`.
  const past = wholeDays(charges, bounds, now)
  const begin = past?.until ?? start
  // What has passed, and what is summed up, end in the middle of a bucket: such a bucket is several cells.
  const cuts = [...new Set([begin, now])].filter((cut) => cut > start && cut < end).sort((a, b) => a - b)
  const edgeList = [start]
  const bucketList: number[] = []
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const [from = 0, until = 0] = [bounds[bucket], bounds[bucket + 1]]
    for (const cut of [...cuts.filter((one) => one > from && one < until), until]) {
      edgeList.push(cut)
      bucketList.push(bucket)
    }
  }
  const edges = Float64Array.from(edgeList)
  const cells = bucketList.length
  const bucketOf = Int32Array.from(bucketList)
  const edge = (cell: number): number => edges[cell] ?? Infinity
  function put(row: Amounts, past: Values, cell: number, amount: number): void {
    add(edge(cell) >= now ? row.ahead : past, bucketOf[cell] ?? 0, amount)
  }

  const { from: starts, until: ends, millionths: amounts, resource: resourceOf, currency: reported } = charges
  const kinds = charges.currencies.length
  // Which row a charge belongs to is known once one of its resource and currency was met.
  const rowsOfCharges = Array.from<OpenRow<Group> | null | undefined>({
    length: charges.resources.length * kinds,
  })
  function findRowOfCharge(resource: number, slot: number): OpenRow<Group> | null {
    const found = rowOf(book.resourceOfCharge[resource] ?? 0, book.currencyOfCharge[slot] ?? 0)
    rowsOfCharges[slot] = found
    return found
  }
  const rowOfCharge = (resource: number, slot: number): OpenRow<Group> | null => {
    const known = rowsOfCharges[slot]
    return known === undefined ? findRowOfCharge(resource, slot) : known
  }
  if (past) {
    let row: OpenRow<Group> | null = null
    eachDaySum(
      past,
      (resource, currency) => (row = rowOfCharge(resource, resource * kinds + currency)) !== null,
      (day, amount) => {
        if (row) add(row.charged, past.bucketOf(day), amount)
      },
    )
  }
  let cell = past ? Math.max(0, edges.indexOf(begin)) : 0
  // Runs for each of a million statements: nothing is allocated in it.
  for (let index = firstReaching(charges, begin); index < charges.count; index += 1) {
    const from = starts[index] ?? 0
    const until = ends[index] ?? 0
    if (from >= end) break
    if (until <= begin && from < begin) continue
    while (cell < cells - 1 && edge(cell + 1) <= from) cell += 1
    const resource = resourceOf[index] ?? 0
    const slot = resource * kinds + (reported[index] ?? 0)
    const row = rowOfCharge(resource, slot)
    if (row === null) continue
    const millionths = amounts[index] ?? 0
    if (from >= edge(cell) && until <= edge(cell + 1)) {
      put(row, row.charged, cell, millionths)
      continue
    }
    const whole = until - from
    let before = from < begin ? portion(millionths, begin - from, whole) : 0
    for (let at = cell; at < cells && edge(at) < until; at += 1) {
      const upTo = portion(millionths, Math.min(edge(at + 1), until) - from, whole)
      put(row, row.charged, at, upTo - before)
      before = upTo
    }
  }
  for (const { resource, currency, from, until, fee } of book.tails) {
    if (until <= start || from >= end) continue
    const row = rowOf(resource, currency)
    if (row === null) continue
    let before = from < start ? feeFor(fee, start - from) : 0
    const first = Math.max(0, edges.findIndex((bound) => bound > from) - 1)
    for (let at = first; at < cells && edge(at) < until; at += 1) {
      const upTo = feeFor(fee, Math.min(edge(at + 1), until) - from)
      put(row, row.estimated, at, upTo - before)
      before = upTo
    }
  }
  return [...rows.values()]
}

export const sumOf = (values: Values): number => values.reduce((sum, value) => sum + value, 0)

/** What has passed, of all stretches together. */
export const totalOf = ({ charged, estimated }: Amounts): number => sumOf(charged) + sumOf(estimated)
