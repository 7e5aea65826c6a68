import type { AccountId } from '#shared/bridge/account'
import type { costCalls } from '#shared/bridge/cost'
import type { HandlersOf } from '#shared/bridge/index'
import type { MachineCost } from './money-alerts'

/** What machines cost per hour and have cost in their lives, from the answers that the window gets too. Never fails. */
export const machineCosts =
  (
    costs: Pick<HandlersOf<typeof costCalls>, 'cost.resources'>,
    report: (action: string, error: unknown) => void,
  ) =>
  async (account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, MachineCost>> => {
    try {
      const { items } = await costs['cost.resources']({
        account,
        period: null,
        only: [...machines],
        limit: null,
      })
      return new Map(
        items.map(({ resource, currency, perHour, life }) => [
          resource.id,
          {
            perHour: perHour === null ? null : { currency, millionths: perHour },
            cost: life === null ? null : { currency, millionths: life },
          },
        ]),
      )
    } catch (error) {
      report('alerts.costs', error)
      return new Map()
    }
  }
