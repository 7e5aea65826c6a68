import { defineStore } from 'pinia'
import { computed } from 'vue'
import { type Activity, activityKept } from '#shared/bridge/activity'
import { bridge } from '../platform/bridge'
import { useAccountMap, usePerAccount } from './per-account'

/** What happened of late in every account. */
export const useActivity = defineStore('activity', () => {
  const { values, follow, followStore } = usePerAccount<readonly Activity[]>('activity.list', (account) =>
    bridge.call('activity.list', { account }),
  )
  /** Kept up to date by events; what was there before is read once. */
  const added = useAccountMap<readonly Activity[]>()

  /** Of all accounts, newest first. */
  const all = computed(() => {
    const entries = [...values.values(), ...added.values()].flat()
    return [...new Map(entries.map((one) => [one.id, one])).values()]
      .filter(({ account }) => values.has(account))
      .sort((one, other) => other.at - one.at)
      .slice(0, activityKept)
  })

  /** Listens first, then reads. */
  function start(): void {
    bridge.on('activity.added', (one) =>
      added.set(one.account, [one, ...(added.get(one.account) ?? [])].slice(0, activityKept)),
    )
    follow()
    followStore()
  }

  return { all, start }
})
