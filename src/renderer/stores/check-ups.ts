import { defineStore } from 'pinia'
import type { AccountId } from '#shared/bridge/account'
import type { CheckUpView } from '#shared/bridge/check-up'
import { resourceKey } from '#shared/resource-key'
import { bridge } from '../platform/bridge'
import { useResourceMap } from './per-account'

/** Check-ups of the machines that the user opened. */
export const useCheckUps = defineStore('check-ups', () => {
  const views = useResourceMap<CheckUpView>()
  const keep = (view: CheckUpView): void => void views.set(resourceKey(view.account, view.machine), view)
  bridge.on('checkUp.changed', keep)

  const of = (account: AccountId, machine: string): CheckUpView | null =>
    views.get(resourceKey(account, machine)) ?? null
  const load = (account: AccountId, machine: string) =>
    bridge.call('checkUp.read', { account, machine }).then(keep)
  const start = (account: AccountId, machine: string) => bridge.call('checkUp.start', { account, machine })
  const cancel = (account: AccountId, machine: string) => bridge.call('checkUp.cancel', { account, machine })
  const save = (account: AccountId, machine: string, at: number, format: 'pdf' | 'txt', job: string) =>
    bridge.call('checkUp.save', { account, machine, at, format, job })
  const show = (account: AccountId, job: string) => bridge.call('checkUp.show', { account, job })
  return { of, load, start, cancel, save, show }
})
