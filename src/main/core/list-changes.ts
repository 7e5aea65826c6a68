import { isDeepStrictEqual } from 'node:util'

export interface Changes<T> {
  readonly upserts: readonly T[]
  readonly removes: readonly string[]
}

/** What turns `before` into `after`, by id. Items that are equal in every field are left out. */
export function changesBetween<T extends { readonly id: string }>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): Changes<T> {
  return {
    upserts: [...after.values()].filter((item) => !isDeepStrictEqual(before.get(item.id), item)),
    removes: [...before.keys()].filter((id) => !after.has(id)),
  }
}
