import { DiskError } from './disk-error'

/** Memory limit of one disk in bytes, within the limit of all disks. */
export interface Quota {
  readonly total: number
  used(): number
  /** Throws ENOSPC without a change if too little is left. */
  reserve(bytes: number): void
  release(bytes: number): void
}

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
