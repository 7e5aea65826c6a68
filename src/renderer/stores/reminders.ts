import { defineStore } from 'pinia'
import type { AccountId } from '#shared/bridge/account'
import type { Reminder } from '#shared/bridge/reminder'
import { bridge } from '../platform/bridge'
import { usePerAccount } from './per-account'

export const useReminders = defineStore('reminders', () => {
  const { values, follow } = usePerAccount<readonly Reminder[]>('reminders.list', (account) =>
    bridge.call('reminders.list', { account }),
  )

  const of = (account: AccountId, machine: string): readonly Reminder[] =>
    (values.get(account) ?? []).filter((reminder) => reminder.machine === machine)

  function start(): void {
    bridge.on('reminders.changed', ({ account, reminders }) => values.set(account, reminders))
    follow()
  }

  const add = (account: AccountId, machine: string, at: number): Promise<Reminder> =>
    bridge.call('reminders.add', { account, machine, at })
  const cancel = (account: AccountId, reminder: string): Promise<void> =>
    bridge.call('reminders.cancel', { account, reminder })

  return { of, start, add, cancel }
})
