/** The sandbox's clock: the computer's own, moved by an offset. Everything in the sandbox asks it. */
export interface Clock {
  /** Epoch seconds, whole. */
  now(): number
  /** Seconds that the sandbox is ahead of the computer. */
  offset(): number
  set(now: number): void
  advance(seconds: number): void
  /** Stops the clock, so that a test can compare two answers about the same moment, or lets it go on. */
  hold(held: boolean): void
}

/** `wall` is epoch milliseconds. `offset` in seconds. */
export function createClock(wall: () => number, offset: number): Clock {
  let ahead = offset
  let heldAt: number | undefined
  const computer = (): number => Math.floor(wall() / 1000)
  const now = (): number => heldAt ?? computer() + ahead
  const set = (time: number): void => {
    ahead = time - computer()
    if (heldAt !== undefined) heldAt = time
  }
  return {
    now,
    offset: () => now() - computer(),
    set,
    advance: (seconds) => set(now() + seconds),
    hold: (held) => {
      set(now())
      heldAt = held ? now() : undefined
    },
  }
}
