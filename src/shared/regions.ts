import type { RegionRef } from './bridge/catalog'

/** What tells one region from another: its id, else its name; null where neither is told. */
export const regionKey = ({ id, name }: RegionRef): string | null => id ?? name

/** Whether two things are in the same region; null where the service tells too little to know. */
export function sameRegion(one: RegionRef, other: RegionRef): boolean | null {
  if (one.id !== null && other.id !== null) return one.id === other.id
  if (one.name !== null && other.name !== null) return one.name === other.name
  return null
}
