import { defineStore } from 'pinia'
import type { AccountId } from '#shared/bridge/account'
import type { CheckUpOutcome, CheckUpView } from '#shared/bridge/check-up'
import type { CommandState } from '#shared/bridge/command'
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
  /** Why the last check-up of a machine stopped early, unless the user cancelled it. */
  const stops = useResourceMap<CommandState>()
  const stopOf = (account: AccountId, machine: string): CommandState | null =>
    stops.get(resourceKey(account, machine)) ?? null
  async function start(account: AccountId, machine: string): Promise<CheckUpOutcome> {
    const key = resourceKey(account, machine)
    stops.delete(key)
    const outcome = await bridge.call('checkUp.start', { account, machine })
    if (outcome.kind === 'stopped' && outcome.state.kind !== 'cancelled') stops.set(key, outcome.state)
    return outcome
  }
  const cancel = (account: AccountId, machine: string) => bridge.call('checkUp.cancel', { account, machine })
  const save = (account: AccountId, machine: string, at: number, format: 'pdf' | 'txt', job: string) =>
    bridge.call('checkUp.save', { account, machine, at, format, job })
  const show = (account: AccountId, job: string) => bridge.call('checkUp.show', { account, job })
  /** Machines whose first check-up the user declined, until the window closes. */
  const declined = useResourceMap<true>()
  const decline = (account: AccountId, machine: string): void =>
    void declined.set(resourceKey(account, machine), true)
  const isDeclined = (account: AccountId, machine: string): boolean =>
    declined.has(resourceKey(account, machine))
  return { decline, isDeclined, of, load, stopOf, start, cancel, save, show }
})
