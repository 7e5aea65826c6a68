import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { AccountId, AccountView, AccountsView } from '#shared/bridge/account'
import type { CallInput } from '#shared/bridge/index'
import { bridge } from '../platform/bridge'
import { firstAnswers } from '../platform/first-answers'

/** Mirror of the main process's accounts, with the selected account. */
export const useAccounts = defineStore('accounts', () => {
  const { withoutAccount, lastView } = firstAnswers()
  const view = shallowRef<AccountsView>(lastView?.accounts ?? { accounts: [], selected: null })
  const loaded = ref(withoutAccount || lastView !== null)

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

  /** Applies a call's answer, which may arrive before the event with the same content. */
  function upsert(account: AccountView): AccountView {
    const accounts = byId(account.id)
      ? all.value.map((existing) => (existing.id === account.id ? account : existing))
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
    upsert(await bridge.call('accounts.connect', input))
  const lookAround = async (): Promise<AccountView> => upsert(await bridge.call('accounts.lookAround', {}))
  const signIn = async (input: CallInput<'accounts.signIn'>): Promise<AccountView> =>
    upsert(await bridge.call('accounts.signIn', input))
  const signOut = async (account: AccountId): Promise<AccountView> =>
    upsert(await bridge.call('accounts.signOut', { account }))
  /** Ends the pause that the service requested. */
  const tryNow = (account: AccountId): Promise<void> => bridge.call('accounts.tryNow', { account })
  const rename = async (account: AccountId, label: string): Promise<AccountView> =>
    upsert(await bridge.call('accounts.rename', { account, label }))
  async function forget(account: AccountId): Promise<void> {
    await bridge.call('accounts.forget', { account })
    const accounts = all.value.filter(({ id }) => id !== account)
    const { selected: previous } = view.value
    view.value = { accounts, selected: previous === account ? (accounts[0]?.id ?? null) : previous }
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
