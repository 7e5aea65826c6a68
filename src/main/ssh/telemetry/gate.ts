/** Lets so many through at once, in the order in which they came. */
export function gate(limit: number) {
  const waiting: (() => void)[] = []
  let inside = 0
  const leave = (): void => {
    inside -= 1
    waiting.shift()?.()
  }
  return async <Value>(act: () => Promise<Value>): Promise<Value> => {
    if (inside >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    inside += 1
    try {
      return await act()
    } finally {
      leave()
    }
  }
}
