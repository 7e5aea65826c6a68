import { LRUCache } from 'lru-cache'

/** Caches values up to `limit` bytes and drops the least recently used. The newest value always stays. */
export function bounded<Value extends object | string>(limit: number, sizeOf: (value: Value) => number) {
  const cache = new LRUCache<string, Value>({
    maxSize: limit,
    // LRUCache does not store a value above its limit.
    sizeCalculation: (value) => Math.max(1, Math.min(limit, sizeOf(value))),
  })
  return {
    get: (key: string): Value | undefined => cache.get(key),
    set: (key: string, value: Value): void => void cache.set(key, value),
    /** Drops the values whose key begins with `prefix`. */
    forget(prefix: string): void {
      for (const key of cache.keys()) if (key.startsWith(prefix)) cache.delete(key)
    },
    size: () => cache.calculatedSize,
  }
}
