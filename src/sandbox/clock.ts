/** The sandbox's only source of time: the system clock with an offset. */
export interface Clock {
  /** Returns whole epoch seconds. */
  now(): number
  /** Returns the seconds that this clock is ahead of the system clock. */
  offset(): number
  set(now: number): void
  advance(seconds: number): void
  /** Freezes or releases the clock, so that a test can compare two responses of the same moment. */
  hold(held: boolean): void
}

/** Creates a clock. `systemTime`: epoch milliseconds; `offset`: seconds. */
export function createClock(systemTime: () => number, offset: number): Clock {
  let ahead = offset
  let heldAt: number | undefined
  const systemNow = (): number => Math.floor(systemTime() / 1000)
  const now = (): number => heldAt ?? systemNow() + ahead
  const set = (time: number): void => {
    ahead = time - systemNow()
    if (heldAt !== undefined) heldAt = time
  }
  return {
    now,
    offset: () => now() - systemNow(),
    set,
    advance: (seconds) => set(now() + seconds),
    hold: (held) => {
      set(now())
      heldAt = held ? now() : undefined
    },
  }
}
