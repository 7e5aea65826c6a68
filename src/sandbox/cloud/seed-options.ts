import type { Random } from '../random'

/** What a world is grown from. `now` is epoch seconds; `ownAddresses` as in addresses.ts. */
export interface Seed {
  readonly seed: number
  readonly machines: number
  readonly now: number
  readonly speed: number
  readonly ownAddresses: boolean
}

export const day = 86_400

/** Seconds before the start of the world, with some variation, so that nothing is as old as something else. */
export const ago = (days: number, random: Random): number =>
  Math.floor(days * day) + random.integer(600, 3_600)
