import { z } from 'zod'

/** The beginning of the year 9999 in epoch seconds: later ones have no date of four digits, and milliseconds are later. */
export const latestTime = 253_370_764_800

/** Epoch seconds. */
export const Time = z.number().min(0).max(latestTime)
const isTime = (time: number): boolean => time >= 0 && time <= latestTime

/** As Time; what is outside of every calendar is as unknown as what is absent, and takes nothing else along. */
export const OptionalTime = z
  .number()
  .nullable()
  .transform((time) => (time === null || isTime(time) ? time : undefined))
  .optional()
