import type { AccountId } from '#shared/bridge/account'
import type { EndRuleView } from '#shared/bridge/end-rule'
import type { GpuReading } from '#shared/bridge/gpu'
import { countdownText, stopCostText } from '#shared/messages/end-rule-text'
import { translate } from '#shared/messages/index'
import { formatRate } from '#shared/money/format-money'
import { type Money } from '#shared/money/money'
import { resourceKey } from '#shared/resource-key'
import type { Clock } from '../core/clock'

export interface TrayFactsDeps {
  costsOf(
    account: AccountId,
    machines: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly perHour: Money | null }>>
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
  const rates = new Map<string, Money>()

  function load(account: AccountId, machine: string): string {
    const utilizations = gpus(account, machine).flatMap(({ utilization }) =>
      typeof utilization === 'number' ? [utilization] : [],
    )
    const gpu = mean(utilizations)
    if (gpu !== null) return translate('desktop.tray.gpu', { percent: Math.round(gpu) })
    const cpuPercent = cpu(account, machine)
    return cpuPercent === null ? '' : translate('desktop.tray.cpu', { percent: Math.round(cpuPercent) })
  }

  function endOf(account: AccountId, machine: string): readonly string[] {
    const rule = end(account, machine)
    const countdown = rule ? countdownText(rule, now(), translate) : null
    if (!rule || countdown === null) return []
    return [countdown, stopCostText(rule.action, rule.when.kind, translate) ?? '']
  }

  return {
    /** Reads the current costs of machines. Never fails: unknown costs are left out. */
    async read(account: AccountId, machines: readonly string[]): Promise<void> {
      for (const [machine, { perHour }] of await costsOf(account, machines)) {
        const key = resourceKey(account, machine)
        if (perHour === null) rates.delete(key)
        else rates.set(key, perHour)
      }
    },
    of(account: AccountId, machine: string): readonly string[] {
      const rate = rates.get(resourceKey(account, machine))
      const cost = rate ? translate('desktop.tray.perHour', { amount: formatRate(rate) }) : ''
      return [...endOf(account, machine), load(account, machine), cost].filter((fact) => fact !== '')
    },
  }
}
