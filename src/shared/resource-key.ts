import type { AccountId } from './bridge/account'

/** Key of a resource in maps and caches: ids are unique within an account only. */
export const resourceKey = (account: AccountId, id: string): string => `${account}/${id}`

export const isKeyOf = (account: AccountId, key: string): boolean => key.startsWith(`${account}/`)
