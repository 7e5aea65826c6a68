import { z } from 'zod'
import { optional } from './optional'

/** Start of the year 9999 in epoch seconds: later times have no date of four digits. */
export const latestTime = 253_370_764_800

/** Epoch seconds of a time that may be in milliseconds: such a time is after `latestTime` from 1978 on. */
const inSeconds = (time: number): number => (time > latestTime ? time / 1000 : time)

/** Epoch seconds. Milliseconds are converted: api-spec.md §2 shows seconds only in its samples. */
export const Time = z
  .number()
  .min(0)
  .max(latestTime * 1000)
  .transform(inSeconds)

/** Time that may be unknown: a value that is no time of a calendar is undefined, and the rest of its record is read. */
export const OptionalTime = optional(z.number().transform(inSeconds).pipe(z.number().min(0).max(latestTime)))
