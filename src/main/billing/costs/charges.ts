/**
 * A statement as far as costs need it. Times are epoch seconds, `currency` is the one that it carried. Refunds and
 * credits are below zero: they reduce sums. Only a charge above zero pays for time (`covers`).
 */
export interface Charge {
  readonly resource: string
  readonly type: string | null
  readonly from: number
  readonly until: number
  readonly millionths: number
  readonly currency: string | null
}

/** Identity of the first `count` statements, shared by all `Charges` that begin with them. */
export interface Settled {
  readonly count: number
}

/** The statements of an account in the order of their `from`, in columns: 100,000 of them are added up in milliseconds. */
export interface Charges {
  /** Those that ended before are left out; -Infinity: none is. */
  readonly since: number
  /** The last moment that a statement that was not read may cover, by resource; -Infinity if none covers time. */
  readonly coveredUntil: ReadonlyMap<string, number>
  readonly count: number
  readonly from: Float64Array
  readonly until: Float64Array
  readonly millionths: Float64Array
  /** Index into `resources`. */
  readonly resource: Int32Array
  /** Index into `currencies`. */
  readonly currency: Int32Array
  readonly resources: readonly { readonly id: string; readonly type: string | null }[]
  readonly currencies: readonly (string | null)[]
  /** Seconds that the longest one covers. */
  readonly longest: number
  readonly settled: Settled
}

interface Columns {
  readonly from: Float64Array
  readonly until: Float64Array
  readonly millionths: Float64Array
  readonly resource: Int32Array
  readonly currency: Int32Array
}

const columns = (size: number, before?: Columns): Columns => {
  const next: Columns = {
    from: new Float64Array(size),
    until: new Float64Array(size),
    millionths: new Float64Array(size),
    resource: new Int32Array(size),
    currency: new Int32Array(size),
  }
  if (before) {
    next.from.set(before.from)
    next.until.set(before.until)
    next.millionths.set(before.millionths)
    next.resource.set(before.resource)
    next.currency.set(before.currency)
  }
  return next
}

const firstOf = (charges: Columns, count: number): Columns => ({
  from: charges.from.subarray(0, count),
  until: charges.until.subarray(0, count),
  millionths: charges.millionths.subarray(0, count),
  resource: charges.resource.subarray(0, count),
  currency: charges.currency.subarray(0, count),
})

/** Whether an amount in millionths pays for the time of its statement. */
export const covers = (millionths: number): boolean => millionths > 0

/** How many charges begin before a moment. */
export function countBefore({ from, count }: Pick<Charges, 'from' | 'count'>, time: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if ((from[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}

type LeftOut = Pick<Charges, 'since' | 'coveredUntil'>
const nothingLeftOut: LeftOut = { since: -Infinity, coveredUntil: new Map() }

/** Seconds before the newest statement until which others are likely to stay as they are. */
const unsettled = 40 * 86_400

/** The places of these moments in their order: those of the same moment stay as they are. */
function placesInOrder(moments: Float64Array): Uint32Array {
  let [lowest, highest] = [Infinity, -Infinity]
  for (const moment of moments) {
    lowest = Math.min(lowest, moment)
    highest = Math.max(highest, moment)
  }
  if (highest - lowest > 0xffff_ffff)
    return Uint32Array.from(moments.keys()).sort((one, other) => (moments[one] ?? 0) - (moments[other] ?? 0))
  // A moment, and its place below it, are one number: numbers are sorted in a fraction of the time of comparisons.
  const keys = new BigUint64Array(moments.length)
  const halves = new Uint32Array(keys.buffer)
  for (let place = 0; place < moments.length; place += 1) {
    halves[2 * place] = place
    halves[2 * place + 1] = (moments[place] ?? 0) - lowest
  }
  keys.sort()
  const places = new Uint32Array(moments.length)
  for (let at = 0; at < places.length; at += 1) places[at] = halves[2 * at] ?? 0
  return places
}

const inOrder = (kept: Columns, places: Uint32Array, first: number): Columns => {
  const next = columns(kept.from.length, kept)
  for (let at = 0; at < places.length; at += 1) {
    const place = first + (places[at] ?? 0)
    next.from[first + at] = kept.from[place] ?? 0
    next.until[first + at] = kept.until[place] ?? 0
    next.millionths[first + at] = kept.millionths[place] ?? 0
    next.resource[first + at] = kept.resource[place] ?? 0
    next.currency[first + at] = kept.currency[place] ?? 0
  }
  return next
}

/**
 * Gathers charges after those of `before` that begin before `from`. They may come in any order, though that of their
 * `from` is the quickest.
 */
export function gatherCharges(
  before?: Charges,
  from = -Infinity,
  leftOut: LeftOut = before ?? nothingLeftOut,
) {
  const { since, coveredUntil } = leftOut
  const first = before ? countBefore(before, from) : 0
  let count = first
  const settled = before && before.settled.count > 0 && before.settled.count <= count ? before.settled : null
  let kept = columns(Math.max(1024, count), before && firstOf(before, count))
  let longest = before?.longest ?? 0
  let [isInOrder, latest] = [true, -Infinity]
  const resources = [...(before?.resources ?? [])]
  const currencies = [...(before?.currencies ?? [])]
  const resourceAt = new Map(resources.map(({ id }, index) => [id, index]))
  const currencyAt = new Map(currencies.map((currency, index) => [currency, index]))
  // Many charges of the same come after each other.
  let last: { readonly resource: string; readonly at: number } | undefined
  let lastCurrency: { readonly currency: string | null; readonly at: number } | undefined

  function resourceIndex(resource: string, type: string | null): number {
    if (last?.resource === resource) return last.at
    const at = resourceAt.get(resource) ?? resources.push({ id: resource, type }) - 1
    resourceAt.set(resource, at)
    last = { resource, at }
    return at
  }
  function currencyIndex(currency: string | null): number {
    if (lastCurrency?.currency === currency) return lastCurrency.at
    const at = currencyAt.get(currency) ?? currencies.push(currency) - 1
    currencyAt.set(currency, at)
    lastCurrency = { currency, at }
    return at
  }

  return {
    add({ resource, type, from, until, millionths, currency }: Charge): void {
      if (count === kept.from.length) kept = columns(count * 2, kept)
      kept.from[count] = from
      kept.until[count] = until
      kept.millionths[count] = millionths
      kept.resource[count] = resourceIndex(resource, type)
      kept.currency[count] = currencyIndex(currency)
      longest = Math.max(longest, until - from)
      isInOrder &&= from >= latest
      latest = from
      count += 1
    },
    done(): Charges {
      if (!isInOrder) kept = inOrder(kept, placesInOrder(kept.from.subarray(first, count)), first)
      const newest = kept.from[count - 1] ?? 0
      return {
        ...kept,
        since,
        coveredUntil,
        count,
        resources,
        currencies,
        longest,
        settled: settled ?? { count: countBefore({ from: kept.from, count }, newest - unsettled) },
      }
    },
  }
}

export const noCharges: Charges = gatherCharges().done()

export function chargesOf(list: readonly Charge[]): Charges {
  const gather = gatherCharges()
  for (const charge of list) gather.add(charge)
  return gather.done()
}
