import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { AccountId, AccountView, AccountsView } from '#shared/bridge/account'
import type { CallInput } from '#shared/bridge/index'
import { bridge } from '../platform/bridge'
import { firstAnswers } from '../platform/first-answers'

/** The accounts as the main process knows them, and the one that is looked at. */
export const useAccounts = defineStore('accounts', () => {
  const view = shallowRef<AccountsView>({ accounts: [], selected: null })
  const loaded = ref(firstAnswers().withoutAccount)

  const all = computed(() => view.value.accounts)
  const own = computed(() => all.value.filter((account) => !account.sandbox))
  const sandboxes = computed(() => all.value.filter((account) => account.sandbox))
  const selected = computed<AccountView | null>(
    () => all.value.find((account) => account.id === view.value.selected) ?? all.value[0] ?? null,
  )
  const byId = (id: AccountId): AccountView | undefined => all.value.find((account) => account.id === id)

  async function start(): Promise<void> {
    bridge.on('accounts.changed', (changed) => (view.value = changed))
    view.value = await bridge.call('accounts.list', {})
    loaded.value = true
  }

  // The answer of a call may arrive before the event with the same content; this keeps what follows it in step.
  function keep(account: AccountView): AccountView {
    const known = all.value.some(({ id }) => id === account.id)
    const accounts = known
      ? all.value.map((one) => (one.id === account.id ? account : one))
      : [...all.value, account]
    view.value = { ...view.value, accounts }
    return account
  }

  const select = async (account: AccountId): Promise<void> => {
    if (view.value.selected === account) return
    await bridge.call('accounts.select', { account })
    view.value = { ...view.value, selected: account }
  }
  const connect = async (input: CallInput<'accounts.connect'>): Promise<AccountView> =>
    keep(await bridge.call('accounts.connect', input))
  const lookAround = async (): Promise<AccountView> => keep(await bridge.call('accounts.lookAround', {}))
  const signIn = async (input: CallInput<'accounts.signIn'>): Promise<AccountView> =>
    keep(await bridge.call('accounts.signIn', input))
  const signOut = async (account: AccountId): Promise<AccountView> =>
    keep(await bridge.call('accounts.signOut', { account }))
  /** Ends the pause that the service asked for. */
  const tryNow = (account: AccountId): Promise<void> => bridge.call('accounts.tryNow', { account })
  const rename = async (account: AccountId, label: string): Promise<AccountView> =>
    keep(await bridge.call('accounts.rename', { account, label }))
  async function forget(account: AccountId): Promise<void> {
    await bridge.call('accounts.forget', { account })
    const accounts = all.value.filter(({ id }) => id !== account)
    const { selected: last } = view.value
    view.value = { accounts, selected: last === account ? (accounts[0]?.id ?? null) : last }
  }

  return {
    all,
    own,
    sandboxes,
    selected,
    loaded,
    byId,
    start,
    select,
    connect,
    lookAround,
    signIn,
    signOut,
    tryNow,
    rename,
    forget,
  }
})
