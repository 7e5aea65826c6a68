import { defineStore } from 'pinia'
import { shallowReactive, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { Reminder } from '#shared/bridge/reminder'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'

/** The reminders of each account, soonest first. */
export const useReminders = defineStore('reminders', () => {
  const accounts = useAccounts()
  const kept = shallowReactive(new Map<AccountId, readonly Reminder[]>())

  const of = (account: AccountId, machine: string): readonly Reminder[] =>
    (kept.get(account) ?? []).filter((reminder) => reminder.machine === machine)

  /** Listens first, then reads every account there is and will be. */
  function start(): void {
    bridge.on('reminders.changed', ({ account, reminders }) => kept.set(account, reminders))
    watch(
      () => accounts.all.map(({ id }) => id),
      (ids) => {
        for (const id of kept.keys()) if (!ids.includes(id)) kept.delete(id)
        for (const id of ids) if (!kept.has(id)) void read(id)
      },
      { immediate: true },
    )
  }

  async function read(account: AccountId): Promise<void> {
    try {
      const reminders = await bridge.call('reminders.list', { account })
      if (!kept.has(account)) kept.set(account, reminders)
    } catch (error) {
      // They show again with the next change.
      console.error('reminders.list', error)
    }
  }

  const add = (account: AccountId, machine: string, at: number): Promise<Reminder> =>
    bridge.call('reminders.add', { account, machine, at })
  const cancel = (account: AccountId, reminder: string): Promise<void> =>
    bridge.call('reminders.cancel', { account, reminder })

  return { of, start, add, cancel }
})
