import type { ResourceCost } from '#shared/bridge/cost'
import { type FeePerMinute, perHour } from '#shared/money/fee'
import { portion } from '#shared/money/prorate'
import type { CostBook } from './cost-book'
import { sumByGroup, sumOf } from './sum-by-group'

/** Returns the seconds of [`start`, `end`) before now that are charged or estimated, by index. Counts each second once. */
function secondsOf(book: CostBook, start: number, end: number): readonly number[] {
  const last = Math.min(end, book.now)
  const charged = book.charges.coveredSeconds(start, last)
  const seconds = book.resources.map(({ id }) => charged.get(id) ?? 0)
  const reached = seconds.map(() => start)
  // Tails of a resource come in the order of their beginning, after its last charge.
  for (const { resource, from, until } of book.tails) {
    const first = Math.max(from, reached[resource] ?? start)
    const stop = Math.min(until, last)
    if (stop <= first) continue
    seconds[resource] = (seconds[resource] ?? 0) + stop - first
    reached[resource] = stop
  }
  return seconds
}

interface Line {
  resource: number
  readonly currency: string
  assumed: boolean
  charged: number
  estimated: number
  life: number | null
  fees: FeePerMinute[]
  /** Part of it runs at an unknown fee. */
  feeUnknown: boolean
}

/** Returns the cost of one GPU-hour in millionths, rounded once. Null for less than half a second of GPU time. */
export const perGpuHour = (millionths: number, gpuSeconds: number): number | null => {
  const whole = Math.round(gpuSeconds)
  return whole > 0 ? portion(millionths, 3600, whole) : null
}

/** More GPUs than any machine has: a larger number is an error of the service. */
const mostGpus = 1e6

/**
 * Returns the cost of each resource in [`start`, `end`), by currency, the most expensive first. `all` includes
 * resources that cost nothing then and do not run.
 */
export function resourceCosts(
  book: CostBook,
  start: number,
  end: number,
  { all, only }: { readonly all: boolean; readonly only: ReadonlySet<string> | null },
): ResourceCost[] {
  const lines = new Map<string, Line>()
  const lineOf = (resource: number, currency: string): Line => {
    const key = `${currency} ${resource}`
    const line = lines.get(key) ?? {
      resource,
      currency,
      assumed: false,
      charged: 0,
      estimated: 0,
      life: null,
      fees: [],
      feeUnknown: false,
    }
    lines.set(key, line)
    return line
  }
  const wanted = (resource: number): boolean => only === null || only.has(book.resources[resource]?.id ?? '')

  for (const row of sumByGroup(book, [start, end], (resource) => (wanted(resource) ? resource : undefined))) {
    const line = lineOf(row.group, row.currency)
    line.assumed ||= row.assumed
    line.charged = sumOf(row.charged)
    line.estimated = sumOf(row.estimated)
  }
  for (const { resource, currency, millionths } of book.lives) {
    const known = book.currencies[currency]
    if (!known || !wanted(resource)) continue
    const line = lineOf(resource, known.currency)
    line.assumed ||= known.assumed
    line.life = (line.life ?? 0) + millionths
  }
  for (const { resource, currency, fee } of book.running) {
    const known = book.currencies[currency]
    if (!known || !wanted(resource)) continue
    const line = lineOf(resource, known.currency)
    line.assumed ||= known.assumed
    if (fee === null) line.feeUnknown = true
    else line.fees.push(fee)
  }

  const seconds = secondsOf(book, start, end)
  const costs = [...lines.values()].flatMap((line): ResourceCost[] => {
    const resource = book.resources[line.resource]
    if (!resource) return []
    const { currency, assumed, charged, estimated, life } = line
    const spent = charged + estimated
    if (!all && spent === 0 && line.fees.length === 0) return []
    const time = seconds[line.resource] ?? 0
    const gpus = resource.gpu === 'none' ? null : resource.gpuCount
    const gpuSeconds = gpus === null || gpus <= 0 || gpus > mostGpus ? null : time * gpus
    return [
      {
        resource,
        currency,
        assumed,
        period: { charged, estimated },
        seconds: time,
        gpuHours: gpuSeconds === null ? null : gpuSeconds / 3600,
        perGpuHour: gpuSeconds === null ? null : perGpuHour(spent, gpuSeconds),
        // Usage may be older than the charges, but a whole life never costs less than a part of it.
        life: life === null ? null : Math.max(life, spent),
        perHour:
          line.feeUnknown || (line.fees.length === 0 && resource.state !== 'terminated')
            ? null
            : perHour(line.fees),
      },
    ]
  })
  const spentOn = ({ period }: ResourceCost): number => period.charged + period.estimated
  return costs.sort((left, right) => spentOn(right) - spentOn(left) || (right.life ?? 0) - (left.life ?? 0))
}
