import { LRUCache } from 'lru-cache'

/** Values by key, the least recently used dropped where all together are larger than `limit`. The newest always stays. */
export function bounded<Value extends object | string>(limit: number, sizeOf: (value: Value) => number) {
  const kept = new LRUCache<string, Value>({
    maxSize: limit,
    // A value above the limit would not be kept at all.
    sizeCalculation: (value) => Math.max(1, Math.min(limit, sizeOf(value))),
  })
  return {
    get: (key: string): Value | undefined => kept.get(key),
    set: (key: string, value: Value): void => void kept.set(key, value),
    /** Forgets all whose key begins so. */
    forget(prefix: string): void {
      for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key)
    },
    size: () => kept.calculatedSize,
  }
}
