import type { Disagreement } from '#shared/bridge/cost'
import { feeFor } from '#shared/money/fee'
import { portion } from '#shared/money/prorate'
import type { CostBook } from './cost-book'
import { sumOfDays } from './sum-by-group'
import type { LineCharge } from './charge'

interface Compared {
  readonly resource: number
  readonly currency: string
  assumed: boolean
  charged: number
  estimated: number
  usage: number
  /** Epoch seconds that the reported usage covers. Statements count up to here. */
  upTo: number
  /** Difference that an unfinished minute may cause. */
  tolerance: number
}

const minute = 60

/** Returns the part of a charge for time before `upTo` (epoch seconds). */
function chargedUpTo({ from, until, millionths }: LineCharge, upTo: number): number {
  if (until <= upTo) return millionths
  return upTo <= from ? 0 : portion(millionths, upTo - from, until - from)
}

/**
 * Returns the resources whose statements and estimate differ from their usage for the same time. While a resource is
 * active, a difference of up to one minute's fee is normal.
 */
export function disagreements(book: CostBook): { items: Disagreement[]; compared: number } {
  const { charges, currencies, lines } = book
  // The same currency counts as one here, reported or assumed.
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

  const later = new Map<string, number>()
  const sumsOfLines = lines.map((line) => line && sums.get(slotOf(line.resource, line.currency)))
  for (const [at, sum] of sumsOfLines.entries()) {
    const line = lines[at]
    if (!sum || !line) continue
    sum.assumed ||= currencies[line.currency]?.assumed ?? false
    const resource = book.resources[line.resource]
    if (line.lastEnd > sum.upTo && resource)
      later.set(resource.id, Math.min(sum.upTo, later.get(resource.id) ?? Infinity))
  }
  const totals = sumOfDays(charges.days(-Infinity, Infinity))
  for (const [at, line] of totals.lines.entries()) {
    const sum = sumsOfLines[line]
    if (sum) sum.charged += totals.millionths[at] ?? 0
  }
  // Days also contain charges for time that the reported usage does not cover.
  for (const [resource, time] of later)
    for (const charge of charges.endingAfter(resource, time)) {
      const sum = sumsOfLines[charge.line]
      if (sum) sum.charged += chargedUpTo(charge, sum.upTo) - charge.millionths
    }
  for (const charge of charges.unspread) {
    const sum = sumsOfLines[charge.line]
    if (sum) sum.charged += chargedUpTo(charge, sum.upTo)
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
