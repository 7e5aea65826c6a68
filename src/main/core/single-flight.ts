/** Runs `act` at most once at a time: callers share a run in progress and its outcome. */
export function singleFlight<Value>(act: () => Promise<Value>): () => Promise<Value> {
  let underWay: Promise<Value> | undefined
  return () => {
    underWay ??= act().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

/**
 * Shares a reading in progress until `end`. A reading from before `end` belongs to a session that is over: its
 * `isCurrent` returns false and its results must be dropped.
 */
export function sessionReadings(read: (isCurrent: () => boolean) => Promise<void>) {
  let session = 0
  const begin = (): (() => Promise<void>) => {
    session += 1
    const mine = session
    return singleFlight(() => read(() => mine === session))
  }
  let refresh = begin()
  return {
    refresh: (): Promise<void> => refresh(),
    end: (): void => {
      refresh = begin()
    },
  }
}
