import { z } from 'zod'
import { optional } from './optional'

/** Start of the year 9999 in epoch seconds: later times have no date of four digits. */
export const latestTime = 253_370_764_800

/** Converts milliseconds to epoch seconds: such times exceed `latestTime` from 1978 on. */
const inSeconds = (time: number): number => (time > latestTime ? time / 1000 : time)

/** Epoch seconds. Milliseconds are converted: api-spec.md §2 shows seconds only in its samples. */
export const Time = z
  .number()
  .min(0)
  .max(latestTime * 1000)
  .transform(inSeconds)

/** A time that may be missing. Invalid times count as missing. */
export const OptionalTime = optional(z.number().transform(inSeconds).pipe(z.number().min(0).max(latestTime)))
