import { defineStore } from 'pinia'
import { computed, shallowReactive, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { Creation } from '#shared/bridge/creation'
import type { CallInput } from '#shared/bridge/index'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { useSignIn } from './sign-in'

const none: readonly Creation[] = []

/** The creations of every account that are not over, and the sending of new ones. */
export const useCreation = defineStore('creation', () => {
  const accounts = useAccounts()
  const signIn = useSignIn()
  const creations = shallowReactive(new Map<AccountId, readonly Creation[]>())

  bridge.on('creation.changed', ({ account, creations: changed }) => creations.set(account, changed))
  watch(
    () => accounts.all.map(({ id }) => id),
    (ids) => {
      for (const id of creations.keys()) if (!ids.includes(id)) creations.delete(id)
      for (const account of ids) if (!creations.has(account)) void load(account)
    },
    { immediate: true },
  )

  async function load(account: AccountId): Promise<void> {
    // What cannot be read now comes with the next change.
    const read = await bridge.call('creation.list', { account }).catch(() => none)
    if (!creations.has(account)) creations.set(account, read)
  }

  /** Of the account that is looked at. */
  const list = computed(() => (accounts.selected ? (creations.get(accounts.selected.id) ?? none) : none))

  /** Signs in again where that is needed: nothing was sent then. */
  const createMachine = (input: CallInput<'machine.create'>): Promise<Creation> =>
    signIn.withReauthentication(input.account, () => bridge.call('machine.create', input))
  const createBareMetal = (input: CallInput<'bareMetal.create'>): Promise<Creation> =>
    signIn.withReauthentication(input.account, () => bridge.call('bareMetal.create', input))
  const dismiss = ({ account, id }: Creation): Promise<void> =>
    bridge.call('creation.dismiss', { account, creation: id })

  return { creations, list, createMachine, createBareMetal, dismiss }
})
