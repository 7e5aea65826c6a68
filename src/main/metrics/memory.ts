/** Values by key, the least recently used ones dropped where all together are larger than `limit`. The newest always stays. */
export function bounded<Value>(limit: number, sizeOf: (value: Value) => number) {
  const kept = new Map<string, Value>()
  let size = 0
  const drop = (key: string): void => {
    const value = kept.get(key)
    if (value === undefined) return
    kept.delete(key)
    size -= sizeOf(value)
  }
  return {
    get(key: string): Value | undefined {
      const value = kept.get(key)
      if (value !== undefined) {
        kept.delete(key)
        kept.set(key, value)
      }
      return value
    },
    set(key: string, value: Value): void {
      drop(key)
      kept.set(key, value)
      size += sizeOf(value)
      for (const oldest of kept.keys()) {
        if (size <= limit || oldest === key) break
        drop(oldest)
      }
    },
    /** Forgets all whose key begins so. */
    forget(prefix: string): void {
      for (const key of [...kept.keys()]) if (key.startsWith(prefix)) drop(key)
    },
    size: () => size,
  }
}
