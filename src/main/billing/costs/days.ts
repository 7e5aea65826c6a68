import type { CostDays, CostSeries, CostShare } from '#shared/bridge/cost'
import type { CostBook } from './cost-book'
import { keyOf, shareOf, type ShareBy } from './shares'
import { daysBetween, sumByGroup, sumOf, totalOf } from './sum-by-group'

const others = 'others'

/**
 * Returns the costs of each share of a stack between every two of `bounds`: per currency the `limit` most expensive
 * shares, and the sum of the rest. `only`: ids of the resources to include; null: all.
 */
export function costSeries(
  book: CostBook,
  bounds: readonly number[],
  by: ShareBy,
  limit: number,
  only: ReadonlySet<string> | null = null,
): CostDays['currencies'] {
  const shares = new Map<string, CostShare>()
  const keys = book.resources.map((resource) => {
    if (only !== null && !only.has(resource.id)) return undefined
    const share = shareOf(resource, by)
    const key = keyOf(share)
    shares.set(key, share)
    return key
  })
  const whole = [bounds[0] ?? 0, bounds.at(-1) ?? 0]
  const groupOf = (resource: number): string | undefined => keys[resource]

  const days = daysBetween(book, bounds)

  const ranked = sumByGroup(book, whole, groupOf, days)
    .map((row) => ({ ...row, total: totalOf(row) + sumOf(row.ahead) }))
    .filter(({ total }) => total !== 0)
    .sort((left, right) => right.total - left.total)
  const currencies = [...new Set(ranked.map(({ currency }) => currency))]
  const shown = new Map(
    currencies.map((currency) => {
      const own = ranked.filter((row) => row.currency === currency).map(({ group }) => group)
      // Shows the last share by name instead of as "others".
      const first = own.length <= limit + 1 ? own : own.slice(0, limit)
      return [currency, { first: new Set(first), all: new Set(own) }] as const
    }),
  )

  const shownGroupOf = (resource: number, currency: string): string | undefined => {
    const group = groupOf(resource)
    const own = shown.get(currency)
    if (group === undefined || !own?.all.has(group)) return undefined
    return own.first.has(group) ? group : others
  }
  const rows = sumByGroup(book, bounds, shownGroupOf, days)
  return currencies.map((currency) => {
    const own = rows.filter((row) => row.currency === currency)
    const { first = new Set<string>(), all = first } = shown.get(currency) ?? {}
    const series = [...first, others].flatMap((group): CostSeries[] => {
      const row = own.find((one) => one.group === group)
      const share: CostShare =
        group === others
          ? { kind: 'others', count: all.size - first.size }
          : (shares.get(group) ?? { kind: 'unknown' })
      if (!row) return []
      const { charged, estimated, ahead } = row
      return [{ share, charged, estimated, ahead, total: totalOf(row) }]
    })
    return { currency, assumed: own.some(({ assumed }) => assumed), series }
  })
}
