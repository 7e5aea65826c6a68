import type { Random } from '../random'

/** `now` is epoch seconds; `dedicatedAddresses` as in addresses.ts. */
export interface SeedOptions {
  readonly seed: number
  readonly machines: number
  readonly now: number
  readonly speed: number
  readonly dedicatedAddresses: boolean
}

export const day = 86_400

/** `days` in seconds, with some variation, so that no two resources are of the same age. */
export const ageSeconds = (days: number, random: Random): number =>
  Math.floor(days * day) + random.integer(600, 3_600)
