/** Lets tasks run one after the other, in the order in which they were handed in, whatever becomes of each. */
export const createMutex = (): (<Value>(task: () => Promise<Value>) => Promise<Value>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const mine = last.then(task)
    last = mine.catch(() => undefined)
    return mine
  }
}
