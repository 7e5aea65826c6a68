/** What decides how soon something of an account is read again. */
export interface Circumstances {
  /** Something is on its way from one state to another. */
  readonly moving: boolean
  /** The person looks at this account. */
  readonly selected: boolean
  readonly windowOpen: boolean
  /** Readings that failed in a row. */
  readonly failures: number
  /** Seconds that the last reading took. */
  readonly lastReading: number
}

/** Seconds between readings while all is calm: of the account looked at in an open window, and of the others. */
export interface PollInterval {
  readonly focused: number
  readonly background: number
}

export const machinesPollInterval: PollInterval = { focused: 15, background: 60 }
export const volumesPollInterval: PollInterval = { focused: 60, background: 300 }

/**
 * Seconds until the next reading: 3 while something moves, else its poll interval, and never more than a tenth of the
 * time spent reading, or a third while something moves. Failures alone decide how much longer it takes after them, at
 * most 5 minutes: one that timed out says nothing of how long a reading takes.
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
