import type { AccountId } from '#shared/bridge/account'
import type { EndRuleView } from '#shared/bridge/end-rule'
import type { GpuReading } from '#shared/bridge/gpu'
import { countdownText } from '#shared/messages/end-rule-text'
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

/** Returns when a machine ends automatically, in a few words, and that a stop is still billed; null: no end is expected. Pure. */
export function shortEndText(rule: EndRuleView, now: number): string | null {
  const countdown = countdownText(rule, now, translate)
  if (countdown === null || rule.action === 'delete') return countdown
  const isForCost = rule.when.kind === 'idle' || rule.when.kind === 'budget'
  return translate(`desktop.tray.${isForCost ? 'deleteInstead' : 'stillBilled'}`, { countdown })
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
    /** Reads the current costs of machines. Never fails: an answer without costs changes nothing. */
    async read(account: AccountId, machines: readonly string[]): Promise<void> {
      const read = await costsOf(account, machines)
      // As after a failed reading.
      if (read.size === 0) return
      for (const machine of machines) {
        const cost = read.get(machine)
        const key = resourceKey(account, machine)
        if (cost) costs.set(key, cost)
        else costs.delete(key)
      }
    },
    of(account: AccountId, machine: string): readonly string[] {
      const { perHour = null, cost = null } = costs.get(resourceKey(account, machine)) ?? {}
      const rule = end(account, machine)
      return [
        (rule && shortEndText(rule, now())) ?? '',
        load(account, machine),
        perHour ? translate('desktop.tray.perHour', { amount: formatRate(perHour) }) : '',
        cost ? translate('desktop.tray.soFar', { amount: formatMoney(cost) }) : '',
      ].filter((fact) => fact !== '')
    },
  }
}
