import type { AccountId } from '#shared/bridge/account'
import type { EndRuleView } from '#shared/bridge/end-rule'
import type { GpuReading } from '#shared/bridge/gpu'
import { countdownText, stopCostText } from '#shared/messages/end-rule-text'
import { translate } from '#shared/messages/index'
import { formatMoney, formatRate } from '#shared/money/format-money'
import { resourceKey } from '#shared/resource-key'
import type { MachineCost } from '../alerts/money-alerts'
import type { Clock } from '../core/clock'

export interface TrayFactsDeps {
  costsOf(account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, MachineCost>>
  /** Last readings over SSH; empty if there are none. */
  gpus(account: AccountId, machine: string): readonly Pick<GpuReading, 'utilization'>[]
  /** Last reading in percent; null if unknown. Sends no request. */
  cpu(account: AccountId, machine: string): number | null
  /** Automatic end of the machine; undefined if none is armed. */
  end(account: AccountId, machine: string): EndRuleView | undefined
  readonly now: Clock['now']
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

export function createTrayFacts({ costsOf, gpus, cpu, end, now }: TrayFactsDeps) {
  const costs = new Map<string, MachineCost>()

  function load(account: AccountId, machine: string): string {
    const utilizations = gpus(account, machine).flatMap(({ utilization }) =>
      typeof utilization === 'number' ? [utilization] : [],
    )
    const gpu = mean(utilizations)
    if (gpu !== null) return translate('desktop.tray.gpu', { percent: Math.round(gpu) })
    const cpuPercent = cpu(account, machine)
    return cpuPercent === null ? '' : translate('desktop.tray.cpu', { percent: Math.round(cpuPercent) })
  }

  return {
    /** Reads the current costs of machines. Never fails: unknown costs are left out. */
    async read(account: AccountId, machines: readonly string[]): Promise<void> {
      for (const [machine, cost] of await costsOf(account, machines))
        costs.set(resourceKey(account, machine), cost)
    },
    of(account: AccountId, machine: string): readonly string[] {
      const { perHour = null, cost = null } = costs.get(resourceKey(account, machine)) ?? {}
      const rule = end(account, machine)
      const countdown = rule ? countdownText(rule, now(), translate) : null
      return [
        countdown ?? '',
        load(account, machine),
        perHour ? translate('desktop.tray.perHour', { amount: formatRate(perHour) }) : '',
        cost ? translate('desktop.tray.soFar', { amount: formatMoney(cost) }) : '',
        // Last, since a long line is cut.
        (rule && countdown !== null && stopCostText(rule.action, rule.when.kind, translate)) || '',
      ].filter((fact) => fact !== '')
    },
  }
}
