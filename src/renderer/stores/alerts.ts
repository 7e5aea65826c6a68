import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { Alert, AlertLimits, SnoozeLength } from '#shared/bridge/alert'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { usePerAccount } from './per-account'

/** Alerts of every account, and the limits that cause them. */
export const useAlerts = defineStore('alerts', () => {
  const accounts = useAccounts()
  const { values, follow } = usePerAccount<readonly Alert[]>('alerts.list', (account) =>
    bridge.call('alerts.list', { account }),
  )
  const limits = usePerAccount<AlertLimits>('alerts.limits', (account) =>
    bridge.call('alerts.limits', { account }),
  )

  const all = computed(() => accounts.all.flatMap(({ id }) => values.get(id) ?? []))
  const awake = computed(() => all.value.filter(({ snoozedUntil }) => snoozedUntil === null))
  const snoozed = computed(() => all.value.filter(({ snoozedUntil }) => snoozedUntil !== null))

  function start(): void {
    bridge.on('alerts.changed', ({ account, alerts }) => values.set(account, alerts))
    follow()
    limits.follow()
    limits.followStore()
  }

  const snooze = ({ account, id }: Alert, length: SnoozeLength | null): Promise<void> =>
    bridge.call('alerts.snooze', { account, alert: id, length })
  const dismiss = ({ account, id }: Alert): Promise<void> =>
    bridge.call('alerts.dismiss', { account, alert: id })
  async function setLimits(account: AccountId, changed: AlertLimits): Promise<void> {
    limits.values.set(account, await bridge.call('alerts.setLimits', { account, limits: changed }))
  }

  return { all, awake, snoozed, limits: limits.values, start, snooze, dismiss, setLimits }
})
