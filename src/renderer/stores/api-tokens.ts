import { defineStore } from 'pinia'
import type { AccountId, AccountView } from '#shared/bridge/account'
import type { ApiTokenCreation, ApiTokenList, ApiTokenUpdate, ApiTokenView } from '#shared/bridge/api-token'
import type { ApiTokenChange, NewApiToken } from '#shared/service/api-token'
import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import { bridge } from '../platform/bridge'
import { t } from '../platform/i18n'
import { useAskedLists } from './asked-lists'
import { useSignIn } from './sign-in'

/** API tokens of each account as last read, without their values. */
export const useApiTokens = defineStore('api-tokens', () => {
  const signIn = useSignIn()
  const { lists, failures, current, failure, load } = useAskedLists<
    Omit<ApiTokenList, 'items'> & { readonly items: readonly ApiTokenView[] }
  >(
    () => t('apiTokens.title'),
    (account) => bridge.call('apiTokens.list', { account }),
  )
  bridge.on('apiTokens.changed', ({ account, list, failure: reason }) => {
    if (list) lists.set(account, list)
    if (reason) failures.set(account, reason)
    else failures.delete(account)
  })
  const look = (account: AccountId, looking: boolean): Promise<void> =>
    bridge.call('apiTokens.look', { account, looking })

  function change(
    account: AccountId,
    update: (items: readonly ApiTokenView[]) => readonly ApiTokenView[],
  ): void {
    const list = lists.get(account)
    if (list) lists.set(account, { ...list, items: update(list.items) })
  }

  const replace = (account: AccountId, token: ApiTokenView): void =>
    change(account, (items) => items.map((item) => (item.id === token.id ? token : item)))

  async function rename(account: AccountId, token: string, to: ApiTokenChange): Promise<ApiTokenUpdate> {
    const outcome = await signIn.withReauthentication(account, () =>
      bridge.call('apiTokens.update', { account, token, change: to }),
    )
    if (outcome.kind === 'done') replace(account, outcome.token)
    return outcome
  }

  /** Checks whether a rename took effect whose answer was lost. */
  async function lookUpRename(account: AccountId, token: string, to: ApiTokenChange): Promise<LookUp> {
    const renamed = await signIn.withReauthentication(account, () =>
      bridge.call('apiTokens.lookUpUpdate', { account, token, change: to }),
    )
    if (renamed) replace(account, renamed)
    return renamed ? 'done' : 'not-done'
  }

  async function use(account: AccountId, token: string): Promise<AccountView> {
    const view = await signIn.withReauthentication(account, () =>
      bridge.call('apiTokens.use', { account, token }),
    )
    change(account, (items) => items.map((item) => ({ ...item, inUse: item.id === token })))
    return view
  }

  const append = (account: AccountId, token: ApiTokenView): void =>
    change(account, (items) => [...items.filter(({ id }) => id !== token.id), token])

  async function create(account: AccountId, token: NewApiToken): Promise<ApiTokenCreation> {
    const outcome = await signIn.withReauthentication(account, () =>
      bridge.call('apiTokens.create', { account, token }),
    )
    if (outcome.kind === 'created') append(account, outcome.token)
    return outcome
  }

  /** Looks for a token whose creation was not answered. `before` lists the ids that existed before it was sent. */
  async function lookUp(account: AccountId, name: string, before: string[]): Promise<ApiTokenView | null> {
    const token = await signIn.withReauthentication(account, () =>
      bridge.call('apiTokens.lookUp', { account, name, before }),
    )
    if (token) append(account, token)
    return token
  }

  async function remove(account: AccountId, token: string, name: string): Promise<ActionOutcome> {
    const outcome = await signIn.withReauthentication(account, () =>
      bridge.call('apiTokens.delete', { account, token, name }),
    )
    if (outcome.kind === 'done') change(account, (items) => items.filter(({ id }) => id !== token))
    return outcome
  }

  return { current, failure, load, look, rename, lookUpRename, use, create, lookUp, remove }
})
