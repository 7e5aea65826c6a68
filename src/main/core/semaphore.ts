/** Lets so many through at once, in the order in which they came. */
export function gate(limit: number) {
  const waiting: (() => void)[] = []
  let inside = 0
  /** The place is handed over: one that comes just now must not take it too. */
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else inside -= 1
  }
  return async <Value>(act: () => Promise<Value>): Promise<Value> => {
    if (inside < limit) inside += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await act()
    } finally {
      leave()
    }
  }
}
