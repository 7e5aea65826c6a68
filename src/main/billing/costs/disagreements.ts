import type { Disagreement } from '#shared/bridge/cost'
import { feeFor } from '#shared/money/fee'
import { shareOf } from '#shared/money/prorate'
import type { CostBook } from './cost-book'
import { eachDaySum, firstReaching, wholeDays } from './day-sums'

interface Compared {
  readonly resource: number
  readonly currency: string
  assumed: boolean
  charged: number
  estimated: number
  usage: number
  /** The moment that the reported usage covers: statements are counted up to it. */
  upTo: number
  /** By how much both may differ only because a minute is not over. */
  tolerance: number
}

const minute = 60

/**
 * Where statements, with the tail that none covers yet, add up to something else than usage reported for the same time. A
 * difference of no more than a minute's fee is none while a resource lives.
 */
export function disagreements(book: CostBook): { items: Disagreement[]; compared: number } {
  const { charges, currencies, resourceOfCharge, currencyOfCharge } = book
  // A reported currency and the same one assumed count as one here.
  const same = currencies.map(({ currency }) => currencies.findIndex((one) => one.currency === currency))
  const slotOf = (resource: number, currency: number): number =>
    resource * currencies.length + (same[currency] ?? 0)
  const sums = new Map<number, Compared>()

  for (const { resource, currency, millionths, fee, upTo, final } of book.lives) {
    const known = currencies[currency]
    if (!known) continue
    const sum = sums.get(slotOf(resource, currency)) ?? {
      resource,
      currency: known.currency,
      assumed: false,
      charged: 0,
      estimated: 0,
      usage: 0,
      upTo: 0,
      tolerance: 0,
    }
    sum.usage += millionths
    sum.assumed ||= known.assumed
    sum.upTo = Math.max(sum.upTo, upTo)
    if (!final && fee !== null) sum.tolerance += feeFor(fee, minute)
    sums.set(slotOf(resource, currency), sum)
  }
  const kinds = charges.currencies.length
  // What a charge is counted to: the same for all of its resource in its currency.
  const sumsOfCharges = Array.from(resourceOfCharge).flatMap((resource, charge) =>
    charges.currencies.map((_, kind) => {
      const currency = currencyOfCharge[charge * kinds + kind] ?? 0
      return { sum: sums.get(slotOf(resource, currency)), assumed: currencies[currency]?.assumed ?? false }
    }),
  )
  // Days before any of them ends are summed up already; what nothing is charged for after its end ends with them.
  const summed = sumsOfCharges.reduce((least, { sum }, slot) => {
    const lastEnd = book.lastEnd[Math.floor(slot / kinds)] ?? -Infinity
    return sum && lastEnd > sum.upTo ? Math.min(least, sum.upTo) : least
  }, book.now)
  const past = wholeDays(charges, [-Infinity, Infinity], summed)
  const begin = past?.until ?? -Infinity
  if (past) {
    let met: (typeof sumsOfCharges)[number] | undefined
    eachDaySum(
      past,
      (resource, currency) => (met = sumsOfCharges[resource * kinds + currency])?.sum !== undefined,
      (_day, amount) => {
        if (!met?.sum) return
        met.sum.charged += amount
        if (met.assumed) met.sum.assumed = true
      },
    )
  }
  for (let index = firstReaching(charges, begin); index < charges.count; index += 1) {
    const from = charges.from[index] ?? 0
    const until = charges.until[index] ?? 0
    if (until <= begin && from < begin) continue
    const met = sumsOfCharges[(charges.resource[index] ?? 0) * kinds + (charges.currency[index] ?? 0)]
    if (!met?.sum) continue
    const { sum } = met
    const amount = charges.millionths[index] ?? 0
    const counted = until <= sum.upTo ? amount : shareOf(amount, from, until, from, Math.max(from, sum.upTo))
    sum.charged += counted - (from < begin ? shareOf(amount, from, until, from, begin) : 0)
    if (met.assumed) sum.assumed = true
  }
  for (const { resource, currency, from, until, fee } of book.tails) {
    const sum = sums.get(slotOf(resource, currency))
    const seconds = sum ? Math.floor((Math.min(until, sum.upTo) - from) / minute) * minute : 0
    if (sum && seconds > 0) sum.estimated += feeFor(fee, seconds)
  }

  const items = [...sums.values()].flatMap((sum): Disagreement[] => {
    const { currency, assumed, charged, estimated, usage, tolerance } = sum
    const resource = book.resources[sum.resource]
    const difference = charged + estimated - usage
    if (!resource || Math.abs(difference) <= tolerance) return []
    return [{ resource, currency, assumed, statements: { charged, estimated }, usage, difference }]
  })
  return {
    items: items.sort((left, right) => Math.abs(right.difference) - Math.abs(left.difference)),
    compared: sums.size,
  }
}
