import type { AccountId } from './bridge/account'

/** The one key for a resource of an account in maps and caches: ids are unique within their account only. */
export const resourceKey = (account: AccountId, id: string): string => `${account}/${id}`

/** Whether a key is one of this account's. */
export const isKeyOf = (account: AccountId, key: string): boolean => key.startsWith(`${account}/`)
