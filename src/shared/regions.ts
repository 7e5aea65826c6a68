import type { RegionRef } from './bridge/catalog'

/** The key of a region: its id, else its name; null where neither is reported. */
export const regionKey = ({ id, name }: RegionRef): string | null => id ?? name

/** Whether two things are in the same region; null where the service reports too little to know. */
export function sameRegion(one: RegionRef, other: RegionRef): boolean | null {
  if (one.id !== null && other.id !== null) return one.id === other.id
  if (one.name !== null && other.name !== null) return one.name === other.name
  return null
}
