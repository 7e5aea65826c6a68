import type { AccountId } from '#shared/bridge/account'
import type { costCalls, CostHistory, DetachedVolume } from '#shared/bridge/cost'
import type { CallInput, CallOutput } from '#shared/bridge/index'
import type { VolumeView } from '#shared/bridge/volume'
import { FailureError } from '#shared/failure'
import { bounds, type Calendar } from '#shared/money/calendar'
import { activeCosts } from './costs/active'
import type { CostBook } from './costs/cost-book'
import { costSeries } from './costs/days'
import { disagreements } from './costs/disagreements'
import { gpuCosts } from './costs/gpus'
import { isSensible, type Period } from './costs/periods'
import { resourceCosts } from './costs/resources'
import type { Currencies } from './currency'

export interface CostQueriesDeps {
  readonly currencies: Currencies
  /** Returns the sources of an account's costs as of now. Fails with invalid-input (account). */
  book(account: AccountId): Promise<CostBook>
  history(account: AccountId): CostHistory
  calendar(): Calendar
  volumes(account: AccountId): readonly VolumeView[] | Promise<readonly VolumeView[]>
}

type Query<Name extends keyof typeof costCalls> = (input: CallInput<Name>) => Promise<CallOutput<Name>>

/** Queries about costs, for the window, exports and alerts. All fail with invalid-input (account, until). */
export interface CostQueries {
  readonly days: Query<'cost.days'>
  readonly resources: Query<'cost.resources'>
  readonly active: Query<'cost.active'>
  readonly gpus: Query<'cost.gpus'>
  readonly detachedVolumes: Query<'cost.detachedVolumes'>
  readonly disagreements: Query<'cost.disagreements'>
}

/** Creates the queries. Each one sums entries of the account's cost book. */
export function costQueries(deps: CostQueriesDeps): CostQueries {
  const { currencies, book, history, calendar, volumes } = deps

  const dated = (account: AccountId, { now }: CostBook) => ({
    account,
    asOf: now,
    history: history(account),
  })

  /** Returns the bounds of a period. Fails with invalid-input (until). */
  function momentsOf(period: Period, unit: 'day' | 'month' = 'month'): readonly number[] {
    if (!isSensible(period))
      throw new FailureError({ kind: 'invalid-input', field: 'until', reason: 'out-of-range' })
    return bounds(calendar(), period.from, period.until, unit)
  }
  /** Returns the bounds of a period as a pair; without a period, infinite ones. */
  function spanOf(period: Period | null): readonly [number, number] {
    if (period === null) return [-Infinity, Infinity]
    const moments = momentsOf(period)
    return [moments[0] ?? 0, moments.at(-1) ?? 0]
  }

  async function detachedItems(account: AccountId, costs: CostBook): Promise<DetachedVolume[]> {
    const detached = (await volumes(account)).filter(({ attachment }) => attachment.kind === 'detached')
    const known = new Map(detached.map((volume) => [volume.id, volume]))
    const found = resourceCosts(costs, -Infinity, Infinity, { all: true, only: new Set(known.keys()) })
    const billed = new Set(found.map(({ resource }) => resource.id))
    const unbilled = detached.filter(({ id }) => !billed.has(id))
    const nameOf = ({ displayName, name }: VolumeView): string | null => displayName ?? name
    const items = [
      ...found.map(({ resource, currency, assumed, life, perHour }): DetachedVolume => {
        const volume = known.get(resource.id)
        return {
          volume: resource.id,
          name: (volume && nameOf(volume)) ?? resource.name,
          size: volume?.size ?? null,
          region: volume?.region.name ?? resource.region,
          currency,
          assumed,
          life,
          perHour,
        }
      }),
      ...unbilled.map((volume): DetachedVolume => ({
        volume: volume.id,
        name: nameOf(volume),
        size: volume.size,
        region: volume.region.name,
        ...currencies.of(account, volume.id, volume.currency),
        life: null,
        perHour: null,
      })),
    ]
    return items.sort((left, right) => (right.perHour ?? -1) - (left.perHour ?? -1))
  }

  return {
    days: async ({ account, from, until, unit, by, limit, only }) => {
      const moments = momentsOf({ from, until }, unit)
      const costs = await book(account)
      return {
        ...dated(account, costs),
        timeZone: calendar().timeZone,
        starts: Float64Array.from(moments.slice(0, -1)),
        end: moments.at(-1) ?? 0,
        currencies: costSeries(costs, moments, by, limit, only ? new Set(only) : null),
      }
    },
    resources: async ({ account, period, only, limit }) => {
      const [start, end] = spanOf(period)
      const costs = await book(account)
      const items = resourceCosts(costs, start, end, {
        all: period === null || only !== null,
        only: only === null ? null : new Set(only),
      })
      return {
        ...dated(account, costs),
        items: limit === null ? items : items.slice(0, limit),
        count: items.length,
      }
    },
    active: async ({ account }) => activeCosts(await book(account)),
    gpus: async ({ account, period }) => {
      const [start, end] = spanOf(period)
      const costs = await book(account)
      return {
        ...dated(account, costs),
        items: gpuCosts(resourceCosts(costs, start, end, { all: false, only: null })),
      }
    },
    detachedVolumes: async ({ account }) => {
      const costs = await book(account)
      return { ...dated(account, costs), items: await detachedItems(account, costs) }
    },
    disagreements: async ({ account }) => {
      const costs = await book(account)
      const found = history(account) === 'complete' ? disagreements(costs) : { items: [], compared: 0 }
      return { ...dated(account, costs), ...found }
    },
  }
}
