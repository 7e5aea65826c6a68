import { z } from 'zod'

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

/** Time that may be unknown: a value outside of every calendar is undefined, and the rest of its record is read. */
export const OptionalTime = z
  .number()
  .nullable()
  .transform((time) => {
    if (time === null) return null
    const seconds = inSeconds(time)
    return seconds >= 0 && seconds <= latestTime ? seconds : undefined
  })
  .optional()
