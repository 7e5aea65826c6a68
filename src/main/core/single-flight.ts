/**
 * Runs `act` at most once at a time: whoever calls while it is under way shares that run and its outcome. A call that
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
