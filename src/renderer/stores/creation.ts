import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { Creation, WishKind } from '#shared/bridge/creation'
import type { CallInput } from '#shared/bridge/index'
import type { JobLog } from '#shared/bridge/job'
import { bridge } from '../platform/bridge'
import { usePerAccount, useSelected } from './per-account'
import { useSignIn } from './sign-in'

export const useCreation = defineStore('creation', () => {
  const signIn = useSignIn()
  const { values: creations, follow } = usePerAccount<readonly Creation[]>('creation.list', (account) =>
    bridge.call('creation.list', { account }),
  )
  bridge.on('creation.changed', ({ account, creations: changed }) => creations.set(account, changed))
  follow()

  const selected = useSelected(creations)
  const list = computed(() => selected.value ?? [])

  const createMachine = (input: CallInput<'machine.create'>): Promise<Creation> =>
    signIn.withReauthentication(input.account, () => bridge.call('machine.create', input))
  const createBareMetal = (input: CallInput<'bareMetal.create'>): Promise<Creation> =>
    signIn.withReauthentication(input.account, () => bridge.call('bareMetal.create', input))
  /** Reads the creations, with names if they may be `name`. */
  const read = (account: AccountId, name: string): Promise<Creation[]> =>
    bridge.call('creation.list', { account, names: [name] })
  const dismiss = ({ account, id }: Creation): Promise<void> =>
    bridge.call('creation.dismiss', { account, creation: id })

  const wish = ({ account, id }: Creation, kind: WishKind, isWanted: boolean): Promise<void> =>
    bridge.call('creation.wish', { account, creation: id, wish: kind, isWanted })
  const takeWish = ({ account, id }: Creation, kind: WishKind): Promise<boolean> =>
    bridge.call('creation.takeWish', {
      account,
      creation: id,
      wish: kind,
      isFocused: document.hasFocus(),
    })
  const check = ({ account, id }: Creation): Promise<void> =>
    bridge.call('creation.check', { account, creation: id })

  /** Returns the phase of a machine that the service reports as running, until it is ready; null if it is none of these. */
  function phaseOf(account: AccountId, machine: string): 'booting' | 'answers' | 'settingUp' | null {
    for (const { state } of creations.get(account) ?? []) {
      if (state.kind === 'booting' && state.machine === machine) return 'booting'
      if (state.kind === 'setting-up' && state.machine === machine)
        return state.hasBegun ? 'settingUp' : 'answers'
    }
    return null
  }
  const log = ({ account, id }: Creation): Promise<JobLog> =>
    bridge.call('creation.log', { account, creation: id })

  return {
    log,
    phaseOf,
    wish,
    takeWish,
    check,
    creations,
    list,
    read,
    createMachine,
    createBareMetal,
    dismiss,
  }
})
