import type { Random } from '../random'

/** `now`: epoch seconds; `dedicatedAddresses`: see addresses.ts. */
export interface SeedOptions {
  readonly seed: number
  readonly machines: number
  readonly now: number
  readonly speed: number
  readonly dedicatedAddresses: boolean
}

export const day = 86_400

/** Returns `days` in seconds with some variation, so that ages differ. */
export const ageSeconds = (days: number, random: Random): number =>
  Math.floor(days * day) + random.integer(600, 3_600)
