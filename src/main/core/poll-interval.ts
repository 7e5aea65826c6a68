/** Conditions that decide when an account's list is read again. */
export interface Circumstances {
  readonly moving: boolean
  readonly selected: boolean
  readonly windowOpen: boolean
  readonly failures: number
  /** Duration of the last reading in seconds. */
  readonly lastReading: number
}

/** Seconds between readings while nothing changes: for the selected account of an open window, and for all others. */
export interface PollInterval {
  readonly focused: number
  readonly background: number
}

export const machinesPollInterval: PollInterval = { focused: 15, background: 60 }
export const volumesPollInterval: PollInterval = { focused: 60, background: 300 }

/**
 * Seconds until the next reading: 3 while a resource is in transition, else the poll interval. Reading uses at most a
 * tenth of the time, or a third during a transition. Failures back off exponentially up to 5 minutes and ignore the
 * reading's duration, because a timeout proves nothing about it.
 */
export function pause(
  { moving, selected, windowOpen, failures, lastReading }: Circumstances,
  { focused, background }: PollInterval = machinesPollInterval,
): number {
  const calm = windowOpen && selected ? focused : background
  const wanted = moving ? Math.min(calm, windowOpen ? 3 : 15) : calm
  if (failures > 0) return Math.min(300, calm * 2 ** Math.min(failures - 1, 5))
  return Math.max(wanted, lastReading * (moving ? 2 : 10))
}
