import { type ShallowReactive, shallowReactive, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { isKeyOf } from '#shared/resource-key'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'

/**
 * Loads what is not known yet of each account there is and will be, and drops what is known of removed accounts. What is
 * being loaded is not asked for once more. `load` never fails.
 */
export function followAccounts(
  known: Map<AccountId, unknown>,
  load: (account: AccountId) => Promise<void>,
): void {
  const accounts = useAccounts()
  const loading = new Set<AccountId>()
  async function loadOnce(account: AccountId): Promise<void> {
    loading.add(account)
    await load(account)
    loading.delete(account)
  }
  watch(
    () => accounts.all.map(({ id }) => id),
    (ids) => {
      for (const id of known.keys()) if (!ids.includes(id)) known.delete(id)
      for (const id of ids) if (!known.has(id) && !loading.has(id)) void loadOnce(id)
    },
    { immediate: true },
  )
}

/** Takes nothing of an account that is not there: what was asked for may come after it was removed. */
class MapOfAccounts<Key, Value> extends Map<Key, Value> {
  readonly #isOfOne: (key: Key) => boolean
  constructor(isOfOne: (key: Key) => boolean) {
    super()
    this.#isOfOne = isOfOne
  }
  override set(key: Key, value: Value): this {
    return this.#isOfOne(key) ? super.set(key, value) : this
  }
}

function createAccountMap<Value>(): ShallowReactive<Map<AccountId, Value>> {
  const accounts = useAccounts()
  return shallowReactive(new MapOfAccounts<AccountId, Value>((id) => accounts.byId(id) !== undefined))
}

/** Values by account, kept as long as the account is there. */
export function useAccountMap<Value>(): ShallowReactive<Map<AccountId, Value>> {
  const values = createAccountMap<Value>()
  followAccounts(values, () => Promise.resolve())
  return values
}

/** Values by resourceKey, kept as long as the account is there. */
export function useResourceMap<Value>(): ShallowReactive<Map<string, Value>> {
  const accounts = useAccounts()
  const isOfOne = (key: string): boolean => accounts.all.some(({ id }) => isKeyOf(id, key))
  const values = shallowReactive(new MapOfAccounts<string, Value>(isOfOne))
  watch(
    () => accounts.all.map(({ id }) => id),
    () => {
      for (const key of values.keys()) if (!isOfOne(key)) values.delete(key)
    },
  )
  return values
}

/** One value of each account: read once, then as the main process pushes it. `name` is logged where reading fails. */
export function usePerAccount<Value>(name: string, read: (account: AccountId) => Promise<Value>) {
  const accounts = useAccounts()
  const values = createAccountMap<Value>()

  async function load(account: AccountId): Promise<void> {
    try {
      const value = await read(account)
      // What was pushed since the request is newer.
      if (!values.has(account)) values.set(account, value)
    } catch (error) {
      // It stays unknown until the next change is pushed.
      console.error(name, error)
    }
  }

  /** Subscribe first, then follow. */
  const follow = (): void => followAccounts(values, load)

  /** Reads all accounts anew when the store opens: what was kept of earlier runs may come in with it. */
  function followStore(): void {
    bridge.on('store.changed', ({ kind }) => {
      if (kind !== 'open') return
      for (const { id } of accounts.all)
        read(id).then(
          (value) => values.set(id, value),
          (error: unknown) => console.error(name, error),
        )
    })
  }

  return { values, follow, followStore }
}
