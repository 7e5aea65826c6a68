import type { FileMode } from './disk'
import type { Progress } from './transfer-job'

/** Permission bits that a copy gets from its source. Setuid, setgid and sticky are not copied. */
const copiedBits = 0o777
/** Permissions of a copy that is not whole: only its owner can read it. */
export const partialFile = 0o600
const partialFolder = 0o700

/** Reads the permission bits that a copy can have. */
export const permissionsOf = (mode: number | null): number | null =>
  mode === null ? null : mode & copiedBits

/** Permissions of copies within folders, and the items whose permissions or times the receiver refused to set. */
export function copyModes(progress: Progress) {
  let umask = 0
  /** Set-group-ID of the folders: a folder inherits it, and a request without it would clear it. */
  let inherited = 0
  const refused = new Set<string>()
  const refusedTimes = new Set<string>()
  return {
    /** Learns the receiver's umask from the mode of a folder that was made with all permissions. */
    learn(made: number): void {
      umask = ~made & copiedBits
      inherited = made & ~copiedBits
    },
    /** Returns the mode of a root folder that is not whole. */
    partialRoot: (): number => partialFolder | inherited,
    /** Returns the permissions of a file or folder; null if the source has none. */
    modeFor(kind: 'file' | 'folder', source: number | null): FileMode | null {
      if (source === null) return null
      const final = source & copiedBits & ~umask
      return kind === 'folder'
        ? { final: final | inherited, whileCopied: final | inherited | partialFolder }
        : { final, whileCopied: final | partialFile }
    },
    /** Counts a file or folder whose permissions the receiver refused to set. Its content is whole. */
    refuse(path: string): void {
      refused.add(path)
      progress.modesRefused = refused.size
    },
    /** The same for the time of the last change. */
    refuseTime(path: string): void {
      refusedTimes.add(path)
      progress.timesRefused = refusedTimes.size
    },
  }
}
export type CopyModes = ReturnType<typeof copyModes>
