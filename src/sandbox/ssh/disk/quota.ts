import { DiskError } from './disk-error'

/** Bytes of memory that a disk may take, inside what all disks together may take. */
export interface Quota {
  readonly total: number
  used(): number
  /** Throws ENOSPC and takes nothing where there is not enough left. */
  take(bytes: number): void
  give(bytes: number): void
}

/** `total` in bytes. */
export function createQuota(total: number, within?: Quota): Quota {
  let used = 0
  return {
    total,
    used: () => used,
    take: (bytes) => {
      if (used + bytes > total) throw new DiskError('ENOSPC')
      within?.take(bytes)
      used += bytes
    },
    give: (bytes) => {
      within?.give(bytes)
      used -= bytes
    },
  }
}
