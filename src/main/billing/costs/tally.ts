import { feeFor } from '#shared/money/fee'
import { portion } from '#shared/money/prorate'
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

  // What has passed ends in the middle of a bucket: such a bucket is two cells.
  const cut = now > start && now < end ? bounds.findIndex((bound) => bound > now) : -1
  const edges = cut < 0 ? bounds : [...bounds.slice(0, cut), now, ...bounds.slice(cut)]
  const cells = edges.length - 1
  const edge = (cell: number): number => edges[cell] ?? Infinity
  function put(row: Amounts, past: Values, cell: number, amount: number): void {
    const bucket = cut >= 0 && cell >= cut ? cell - 1 : cell
    add(edge(cell) >= now ? row.ahead : past, bucket, amount)
  }

  /** Distributes an amount that covers [from, until) over the cells from `first` on; `upTo` is the amount accrued by a moment. */
  function share(
    row: Amounts,
    past: Values,
    first: number,
    [from, until]: readonly [number, number],
    upTo: (time: number) => number,
  ): void {
    let before = from < start ? upTo(start) : 0
    for (let cell = first; cell < cells && edge(cell) < until; cell += 1) {
      const amount = upTo(Math.min(edge(cell + 1), until))
      put(row, past, cell, amount - before)
      before = amount
    }
  }

  let cell = 0
  for (let index = countBefore(charges, start - charges.longest); index < charges.count; index += 1) {
    const from = charges.from[index] ?? 0
    const until = charges.until[index] ?? 0
    if (from >= end) break
    if (until <= start && from < start) continue
    while (cell < cells - 1 && edge(cell + 1) <= from) cell += 1
    const resource = charges.resource[index] ?? 0
    const currency =
      book.currencyOfCharge[resource * charges.currencies.length + (charges.currency[index] ?? 0)]
    const row = rowOf(book.resourceOfCharge[resource] ?? 0, currency ?? 0)
    if (!row) continue
    const millionths = charges.millionths[index] ?? 0
    if (from >= edge(cell) && until <= edge(cell + 1)) put(row, row.charged, cell, millionths)
    else {
      const whole = until - from
      share(row, row.charged, cell, [from, until], (time) => portion(millionths, time - from, whole))
    }
  }
  for (const { resource, currency, from, until, fee } of book.tails) {
    if (until <= start || from >= end) continue
    const row = rowOf(resource, currency)
    const first = edges.findIndex((bound) => bound > from) - 1
    if (row) share(row, row.estimated, Math.max(0, first), [from, until], (time) => feeFor(fee, time - from))
  }
  return [...rows.values()]
}

export const sumOf = (values: Values): number => values.reduce((sum, value) => sum + value, 0)

/** What has passed, of all stretches together. */
export const totalOf = ({ charged, estimated }: Amounts): number => sumOf(charged) + sumOf(estimated)
