/**
 * Runs `act` at most once at a time: callers share a run in flight and its outcome. A call that
 * comes later runs it anew.
 */
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
 * Readings of which at most one is under way, until `end`: what is under way then belongs to a session that is over
 * (`isCurrent` answers no from then on, and nothing that comes of it may be shown or kept), and the next one begins anew.
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
