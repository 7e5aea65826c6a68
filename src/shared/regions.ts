import type { RegionRef } from './bridge/catalog'

/** Key of a region: its id, else its name, else null. */
export const regionKey = ({ id, name }: RegionRef): string | null => id ?? name

/** Whether two regions are the same; null if the service reports too little. */
export function sameRegion(a: RegionRef, b: RegionRef): boolean | null {
  if (a.id !== null && b.id !== null) return a.id === b.id
  if (a.name !== null && b.name !== null) return a.name === b.name
  return null
}
