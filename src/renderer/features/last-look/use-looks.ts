import { shallowReactive } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { LookBefore, LookOutcome } from '#shared/bridge/last-look'
import { type Failure, failureOf } from '#shared/failure'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'

export type LookState =
  | LookOutcome
  | { readonly kind: 'looking' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Looks at machines, and keeps the newest state of each. */
export function useLooks(account: AccountId, before: LookBefore) {
  const states = shallowReactive(new Map<string, LookState>())

  async function look(machine: string): Promise<void> {
    if (states.get(machine)?.kind === 'looking') return
    states.set(machine, { kind: 'looking' })
    try {
      states.set(machine, await bridge.call('lastLook.look', { account, machine, before }))
    } catch (error) {
      states.set(machine, { kind: 'failed', failure: failureOf(error, t(`lastLook.title.${before}`)) })
    }
  }
  return { states, look }
}
