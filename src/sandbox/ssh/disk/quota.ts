import { DiskError } from './disk-error'

/** A limit of memory in bytes: of one disk, inside that of all disks. */
export interface Quota {
  readonly total: number
  used(): number
  /** Throws ENOSPC, unchanged, where too little is left. */
  reserve(bytes: number): void
  release(bytes: number): void
}

/** `total` in bytes. */
export function createQuota(total: number, within?: Quota): Quota {
  let used = 0
  return {
    total,
    used: () => used,
    reserve: (bytes) => {
      if (used + bytes > total) throw new DiskError('ENOSPC')
      within?.reserve(bytes)
      used += bytes
    },
    release: (bytes) => {
      within?.release(bytes)
      used -= bytes
    },
  }
}
