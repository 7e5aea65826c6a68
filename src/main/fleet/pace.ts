/** What decides how soon an account's fleet is read again. */
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

/**
 * Seconds until the next reading: 3 while something moves, 15 for the account looked at, 60 for the others and while
 * no window is open, longer after failures (at most 5 minutes), and never more than a tenth of the time spent reading.
 */
export function pause({ moving, selected, windowOpen, failures, lastReading }: Circumstances): number {
  const calm = windowOpen && selected ? 15 : 60
  const wanted = moving ? Math.min(calm, windowOpen ? 3 : 15) : calm
  const patient = failures === 0 ? wanted : Math.min(300, calm * 2 ** Math.min(failures - 1, 5))
  return Math.max(patient, lastReading * 10)
}
