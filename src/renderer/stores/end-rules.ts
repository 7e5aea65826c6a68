import { defineStore } from 'pinia'
import type { AccountId } from '#shared/bridge/account'
import type { EndRuleView } from '#shared/bridge/end-rule'
import type { CallInput } from '#shared/bridge/index'
import { bridge } from '../platform/bridge'
import { usePerAccount } from './per-account'

/** Machines that Wheelhouse stops or deletes automatically. */
export const useEndRules = defineStore('endRules', () => {
  const { values, follow } = usePerAccount<readonly EndRuleView[]>('endRules.list', (account) =>
    bridge.call('endRules.list', { account }),
  )
  const of = (account: AccountId, machine: string): EndRuleView | undefined =>
    values.get(account)?.find((rule) => rule.machine === machine)

  function start(): void {
    bridge.on('endRules.changed', ({ account, rules }) => values.set(account, rules))
    follow()
  }
  const arm = (order: CallInput<'endRules.arm'>) => bridge.call('endRules.arm', order)
  const extend = ({ account, id }: EndRuleView) => bridge.call('endRules.extend', { account, rule: id })
  const cancel = ({ account, id }: EndRuleView) => bridge.call('endRules.cancel', { account, rule: id })
  const now = ({ account, id }: EndRuleView) => bridge.call('endRules.now', { account, rule: id })
  return { of, start, arm, extend, cancel, now }
})
