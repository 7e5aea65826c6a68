import { isRecord } from './renamed-fields'

const idsOf = (list: readonly unknown[]): readonly string[] | undefined => {
  const ids = list.flatMap((one) => (isRecord(one) && typeof one.id === 'string' ? [one.id] : []))
  return ids.length === list.length ? ids : undefined
}

function listWithLater(kept: readonly unknown[], later: readonly unknown[]): readonly unknown[] {
  const ids = idsOf(later)
  if (!ids || !idsOf(kept)) return later
  return [...later, ...kept.filter((one) => !isRecord(one) || !ids.some((id) => id === one.id))]
}

/**
 * A document with what was written later, without sight of it: by key, and by id in lists; what is unknown there stays.
 * Pure.
 */
export function withLater(kept: unknown, later: unknown): unknown {
  if (isRecord(kept) && isRecord(later)) {
    const both = Object.entries(later).map(([key, value]) => [
      key,
      Object.hasOwn(kept, key) ? withLater(kept[key], value) : value,
    ])
    return { ...kept, ...Object.fromEntries(both) }
  }
  if (Array.isArray(kept) && Array.isArray(later)) return listWithLater(kept, later)
  return later ?? kept
}
