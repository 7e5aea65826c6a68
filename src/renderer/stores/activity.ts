import { defineStore } from 'pinia'
import { computed } from 'vue'
import { type Activity, maxActivities } from '#shared/bridge/activity'
import { bridge } from '../platform/bridge'
import { useAccountMap, usePerAccount } from './per-account'

export const useActivity = defineStore('activity', () => {
  const { values, follow, followStore } = usePerAccount<readonly Activity[]>('activity.list', (account) =>
    bridge.call('activity.list', { account }),
  )
  /** Entries that arrived as events since the window opened. */
  const added = useAccountMap<readonly Activity[]>()

  const all = computed(() => {
    const entries = [...values.values(), ...added.values()].flat()
    return [...new Map(entries.map((entry) => [entry.id, entry])).values()]
      .filter(({ account }) => values.has(account))
      .sort((left, right) => right.at - left.at)
      .slice(0, maxActivities)
  })

  function start(): void {
    bridge.on('activity.added', (entry) =>
      added.set(entry.account, [entry, ...(added.get(entry.account) ?? [])].slice(0, maxActivities)),
    )
    follow()
    followStore()
  }

  return { all, start }
})
