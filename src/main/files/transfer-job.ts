import type { ComparedFile, LinkChoice, TakenChoice } from '#shared/bridge/files'
import { FailureError } from '#shared/failure'
import { type CopiedFile, newCopy } from './copy'
import type { TransferChannel } from './transfer-channel'
import type { ListLimits, Sftp } from './sftp/client'

/** Progress of a job. The job writes it and then calls `changed`. */
export interface Progress {
  phase: 'counting' | 'running' | 'verifying'
  filesDone: number
  filesTotal: number
  bytesDone: number
  bytesTotal: number
  skipped: number
  /** Outer links (links.ts) that were skipped, and the first names. */
  links: { count: number; readonly names: string[] }
  linksCopied: number
  /** Outer links that could not be copied: the first names, and the first reason. */
  linksFailed: { readonly count: number; readonly names: readonly string[]; readonly reason: string }
  /** Selected items that were not copied because the user keeps the existing ones. */
  kept: number
  renamed: number
  modesRefused: number
  timesRefused: number
  changed(): void
}

export const newProgress = (changed: Progress['changed'] = () => undefined): Progress => ({
  phase: 'counting',
  filesDone: 0,
  filesTotal: 0,
  bytesDone: 0,
  bytesTotal: 0,
  skipped: 0,
  kept: 0,
  renamed: 0,
  modesRefused: 0,
  timesRefused: 0,
  changed,
  links: { count: 0, names: [] },
  linksCopied: 0,
  linksFailed: { count: 0, names: [], reason: '' },
})

/** Existing file or folder with the name of a copy. `more`: number of questions of the same kind that follow. */
export interface NameConflict {
  readonly name: string
  readonly there: 'file' | 'folder'
  readonly more: number
  readonly existing: ComparedFile
  readonly copied: ComparedFile
}
export type AskConflict = (conflict: NameConflict, signal: AbortSignal) => Promise<TakenChoice>

export type AskLinks = (
  links: { readonly count: number; readonly names: readonly string[] },
  signal: AbortSignal,
) => Promise<LinkChoice>

export interface Asks {
  readonly conflict: AskConflict
  readonly links: AskLinks
}

export interface Outcome {
  readonly verified: 'checksum' | 'size'
  /** Files whose content changed during the copy. */
  readonly changed: number
  /** Paths of replaced files and folders that could not be deleted. */
  readonly left: readonly string[]
}

/** Copy of files and folders. After an interrupted attempt, the next attempt continues. */
export interface Job {
  attempt(channel: TransferChannel, signal: AbortSignal): Promise<Outcome>
  /** Whether `discard` has to remove or move back anything on the machine. */
  isOnMachine(): boolean
  /**
   * Removes incomplete copies and moves replaced files back, as far as the machine is reachable. Returns the paths that could not be removed,
   * for example on a disk that became read-only.
   */
  discard(sftp: Sftp | undefined): Promise<readonly string[]>
}

export interface JobFile {
  readonly remote: string
  readonly local: string
  readonly size: number
  /** The user selected the file; other files are in a selected folder. */
  readonly isRoot: boolean
  /** Permissions of the source; null: unknown, or not copied. */
  readonly mode: number | null
  /** Time of the source's last change (epoch seconds); null: unknown. */
  readonly modifiedAt: number | null
  /** Permissions of a complete root file; null: unknown, or unchanged. */
  finalMode: number | null
  /** The file was removed after it had been listed. */
  isGone: boolean
  /** The size or time of the source changed during the copy. */
  hasChanged: boolean
  /** The file has content although its size is reported as 0, like files of /proc. Each read may differ. */
  isUnsized: boolean
  mismatches: number
  readonly copy: CopiedFile
  isMade: boolean
  /** Size and time of change of the source at the start of the copy. */
  stamp: string
  digest: string | null
  /** SHA-256 on the machine, from the command that wrote the copy in this attempt. */
  remoteDigest: string | null
}

export const jobFile = (
  remote: string,
  local: string,
  size: number,
  isRoot: boolean,
  { mode = null, modifiedAt = null }: Partial<Pick<JobFile, 'mode' | 'modifiedAt'>> = {},
): JobFile => ({
  remote,
  local,
  size,
  isRoot,
  mode,
  modifiedAt,
  finalMode: null,
  isGone: false,
  hasChanged: false,
  copy: newCopy(),
  isMade: false,
  isUnsized: false,
  mismatches: 0,
  stamp: '',
  digest: null,
  remoteDigest: null,
})

export const partSuffix = '.part'
/** Small files copied in parallel: most of the time of each is spent waiting for answers. */
export const filesAtOnce = 32
/** Bytes from which a file has many parallel requests and a slow checksum. */
export const largeBytes = 4 * 1024 * 1024
export const maxPackedBytes = 256 * 1024
export const maxItems = 200_000
export const maxDepth = 100
export const maxPathLength = 4_096
export const wholeFolder: ListLimits = { entries: maxItems, answers: 20_000 }

export const remotePath = (folder: string, name: string): string =>
  folder.endsWith('/') ? folder + name : `${folder}/${name}`

/** Rejects names that lead out of their folder, with invalid-input (name). */
export function checkNames(names: readonly string[]): void {
  const isPlain = (name: string): boolean => !/^\.{0,2}$|[/\0]/.test(name)
  if (!names.every(isPlain))
    throw new FailureError({ kind: 'invalid-input', field: 'name', reason: 'malformed' })
}
