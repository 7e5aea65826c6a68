import type { AccountId } from '#shared/bridge/account'
import type { CostQueries } from '../billing/cost-queries'
import type { ReportError } from '../core/report-error'
import type { MachineCost } from './money-alerts'

/** Reads the known costs of machines, per hour and since their creation. Never fails. */
export const machineCosts =
  (costs: Pick<CostQueries, 'resources'>, report: ReportError) =>
  async (account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, MachineCost>> => {
    try {
      const { items } = await costs.resources({
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
