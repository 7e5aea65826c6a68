import { computed, type ComputedRef, type ShallowReactive, shallowReactive, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { isKeyOf } from '#shared/resource-key'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'

/** Loads each account that `known` lacks, now and later, and drops removed accounts. `load` must not fail. */
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

/** A map that drops values of accounts that do not exist: an answer may arrive after its account was removed. */
class MapOfAccounts<Key, Value> extends Map<Key, Value> {
  readonly #accountExists: (key: Key) => boolean
  constructor(accountExists: (key: Key) => boolean) {
    super()
    this.#accountExists = accountExists
  }
  override set(key: Key, value: Value): this {
    return this.#accountExists(key) ? super.set(key, value) : this
  }
}

function createAccountMap<Value>(): ShallowReactive<Map<AccountId, Value>> {
  const accounts = useAccounts()
  return shallowReactive(new MapOfAccounts<AccountId, Value>((id) => accounts.byId(id) !== undefined))
}

/** Values by account, dropped with their account. */
export function useAccountMap<Value>(): ShallowReactive<Map<AccountId, Value>> {
  const values = createAccountMap<Value>()
  followAccounts(values, () => Promise.resolve())
  return values
}

export function useSelected<Value>(values: ReadonlyMap<AccountId, Value>): ComputedRef<Value | null> {
  const accounts = useAccounts()
  return computed(() => (accounts.selected ? (values.get(accounts.selected.id) ?? null) : null))
}

/** Values by resourceKey, dropped with their account. */
export function useResourceMap<Value>(): ShallowReactive<Map<string, Value>> {
  const accounts = useAccounts()
  const accountExists = (key: string): boolean => accounts.all.some(({ id }) => isKeyOf(id, key))
  const values = shallowReactive(new MapOfAccounts<string, Value>(accountExists))
  watch(
    () => accounts.all.map(({ id }) => id),
    () => {
      for (const key of values.keys()) if (!accountExists(key)) values.delete(key)
    },
  )
  return values
}

/** One value of each account: read once, then set by the caller when main pushes it. `name` is logged with failures. */
export function usePerAccount<Value>(name: string, read: (account: AccountId) => Promise<Value>) {
  const accounts = useAccounts()
  const values = createAccountMap<Value>()

  async function load(account: AccountId): Promise<void> {
    try {
      const value = await read(account)
      // A value that was pushed since the request is newer.
      if (!values.has(account)) values.set(account, value)
    } catch (error) {
      // The value stays unknown until the next push.
      console.error(name, error)
    }
  }

  /** Follows the accounts. Callers subscribe to changes first. */
  const follow = (): void => followAccounts(values, load)

  /** Reads all accounts again when the local store opens, which may add values of earlier runs. */
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
