import type { ActiveCost } from '#shared/bridge/cost'
import { perHour } from '#shared/money/fee'
import type { CostBook, Running } from './cost-book'

/**
 * Returns the resources that are charged now, once in each currency. Reads no statement, so it is fast with any
 * ledger.
 */
export function activeCosts(book: CostBook): ActiveCost[] {
  const currencyOf = ({ currency }: { readonly currency: number }) =>
    book.currencies[currency]?.currency ?? ''
  const keyOf = (one: { readonly resource: number; readonly currency: number }) =>
    `${String(one.resource)} ${currencyOf(one)}`
  const running = new Map<string, Running[]>()
  for (const one of book.running) running.set(keyOf(one), [...(running.get(keyOf(one)) ?? []), one])
  const lives = new Map<string, number>()
  for (const life of book.lives) lives.set(keyOf(life), (lives.get(keyOf(life)) ?? 0) + life.millionths)

  return [...running.values()].flatMap((entries): ActiveCost[] => {
    const [first] = entries
    const resource = first && book.resources[first.resource]
    if (!resource) return []
    const { id, name, type, createdAt } = resource
    const fees = entries.flatMap(({ fee }) => (fee === null ? [] : [fee]))
    return [
      {
        id,
        name,
        type,
        createdAt,
        currency: currencyOf(first),
        perHour: fees.length < entries.length ? null : perHour(fees),
        soFar: lives.get(keyOf(first)) ?? null,
      },
    ]
  })
}
