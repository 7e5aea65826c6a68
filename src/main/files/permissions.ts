import type { FileMode } from './disk'
import type { Progress } from './transfer-job'

/** Permission bits copied from the source. Setuid, setgid and sticky are not copied. */
const copiedBits = 0o777
/** Permissions of an incomplete copy: only its owner can read it. */
export const partialFile = 0o600
const partialFolder = 0o700

export const permissionsOf = (mode: number | null): number | null =>
  mode === null ? null : mode & copiedBits

export function copyModes(progress: Progress) {
  let umask = 0
  /** Set-group-ID of the folders, which a folder inherits. A request without it would clear it. */
  let inherited = 0
  const refused = new Set<string>()
  const refusedTimes = new Set<string>()

  function modeFor(kind: 'file' | 'folder', source: number | null): FileMode | null {
    if (source === null) return null
    const final = source & copiedBits & ~umask
    return kind === 'folder'
      ? { final: final | inherited, whileCopied: final | inherited | partialFolder }
      : { final, whileCopied: final | partialFile }
  }
  return {
    /** Learns the receiver's umask from the mode of a folder made with all permissions. */
    learn(made: number): void {
      umask = ~made & copiedBits
      inherited = made & ~copiedBits
    },
    partialRoot: (): number => partialFolder | inherited,
    /** Returns the permissions of a file or folder; null: those of the source are unknown. */
    modeFor,
    /** Returns the permissions to set once a copy is complete; null: it already has them. */
    changeAfterCopy(kind: 'file' | 'folder', source: number | null): number | null {
      const mode = modeFor(kind, source)
      return mode === null || mode.final === mode.whileCopied ? null : mode.final
    },
    refuse(path: string): void {
      refused.add(path)
      progress.modesRefused = refused.size
    },
    refuseTime(path: string): void {
      refusedTimes.add(path)
      progress.timesRefused = refusedTimes.size
    },
  }
}
export type CopyModes = ReturnType<typeof copyModes>
