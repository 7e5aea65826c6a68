/** The sandbox's clock: the computer's own, moved by an offset. Everything in the sandbox asks it. */
export interface Clock {
  /** Epoch seconds, whole. */
  now(): number
  /** Seconds that the sandbox is ahead of the computer. */
  offset(): number
  set(now: number): void
  advance(seconds: number): void
}

/** `wall` is epoch milliseconds. `offset` in seconds. */
export function createClock(wall: () => number, offset: number): Clock {
  let ahead = offset
  const now = (): number => Math.floor(wall() / 1000) + ahead
  return {
    now,
    offset: () => ahead,
    set: (time) => {
      ahead += time - now()
    },
    advance: (seconds) => {
      ahead += seconds
    },
  }
}
