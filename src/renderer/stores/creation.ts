import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { Creation } from '#shared/bridge/creation'
import type { CallInput } from '#shared/bridge/index'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { usePerAccount } from './per-account'
import { useSignIn } from './sign-in'

const none: readonly Creation[] = []

/** The creations of every account that are not over, and the sending of new ones. */
export const useCreation = defineStore('creation', () => {
  const accounts = useAccounts()
  const signIn = useSignIn()
  const { values: creations, follow } = usePerAccount<readonly Creation[]>('creation.list', (account) =>
    bridge.call('creation.list', { account }),
  )
  bridge.on('creation.changed', ({ account, creations: changed }) => creations.set(account, changed))
  follow()

  /** Of the account that is looked at. */
  const list = computed(() => (accounts.selected ? (creations.get(accounts.selected.id) ?? none) : none))

  /** Signs in again where that is needed: nothing was sent then. */
  const createMachine = (input: CallInput<'machine.create'>): Promise<Creation> =>
    signIn.withReauthentication(input.account, () => bridge.call('machine.create', input))
  const createBareMetal = (input: CallInput<'bareMetal.create'>): Promise<Creation> =>
    signIn.withReauthentication(input.account, () => bridge.call('bareMetal.create', input))
  /** With the name of each that may be called `name`. */
  const read = (account: AccountId, name: string): Promise<Creation[]> =>
    bridge.call('creation.list', { account, names: [name] })
  const dismiss = ({ account, id }: Creation): Promise<void> =>
    bridge.call('creation.dismiss', { account, creation: id })

  return { creations, list, read, createMachine, createBareMetal, dismiss }
})
