import type { LinkChoice, TakenChoice } from '#shared/bridge/files'
import { FailureError } from '#shared/failure'
import { type CopiedFile, newCopy } from './copy'
import type { TransferChannel } from './transfer-channel'
import type { ListLimits, Sftp } from './sftp/client'

/** How far a job is, and what there is to say of it; the job writes it and then calls `changed`. */
export interface Progress {
  phase: 'counting' | 'running' | 'verifying'
  filesDone: number
  filesTotal: number
  bytesDone: number
  bytesTotal: number
  skipped: number
  /** Links that lead out of the chosen folder, nowhere or back: they are left out. The first of them by name. */
  links: { count: number; readonly names: string[] }
  /** Links of that kind that were copied as links. */
  linksCopied: number
  /** Links of that kind that could not be copied as links. The first of them by name, and why the first one failed. */
  linksFailed: { readonly count: number; readonly names: readonly string[]; readonly reason: string }
  /** What was selected and is not copied, because the person keeps what has its name. */
  kept: number
  renamed: number
  /** Files and folders whose permissions the receiver refused to set. */
  modesRefused: number
  /** Files and folders whose time of the last change the receiver refused to set. */
  timesRefused: number
  changed(): void
}

/** That of a job that has not begun. */
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

/** What has a name that is to be written. `more`: how many others of the kind will be asked for. */
export interface Taken {
  readonly name: string
  readonly there: 'file' | 'folder'
  readonly more: number
}
/** Asks the person what becomes of it; rejects once the signal aborts. */
export type AskTaken = (taken: Taken, signal: AbortSignal) => Promise<TakenChoice>

/** Asks the user what becomes of links that are not followed; rejects once the signal aborts. */
export type AskLinks = (
  links: { readonly count: number; readonly names: readonly string[] },
  signal: AbortSignal,
) => Promise<LinkChoice>

/** What a job asks the user. */
export interface Asks {
  readonly taken: AskTaken
  readonly links: AskLinks
}

export interface Outcome {
  readonly verified: 'checksum' | 'size'
  /** Files that were written to while they were copied. */
  readonly changed: number
  /** Paths of what was replaced and could not be deleted. */
  readonly left: readonly string[]
}

/** Something that is copied. An attempt that was cut is followed by another, which continues. */
export interface Job {
  attempt(line: TransferChannel, signal: AbortSignal): Promise<Outcome>
  /** Whether the machine has something that `discard` removes or puts back. */
  isOnMachine(): boolean
  /**
   * Removes what was copied so far, and puts back what it was to replace, as far as that can be reached. Answers the
   * paths of what could not be removed, as on a disk that became read-only.
   */
  discard(sftp: Sftp | undefined): Promise<readonly string[]>
}

/** One file of a job, and both its paths while it is copied. */
export interface JobFile {
  readonly remote: string
  readonly local: string
  readonly size: number
  /** It was selected itself; the others are in a folder that was. */
  readonly isRoot: boolean
  /** Permissions of the source; null: not known, or not to be copied. */
  readonly mode: number | null
  /** When the source was last changed (epoch seconds); null: not known. */
  readonly modifiedAt: number | null
  /** Permissions of a root file once it is whole; null: not known yet, or those it was made with. */
  finalMode: number | null
  /** It was removed after it had been listed. */
  isGone: boolean
  /** It was found shorter, longer or newer than when it was opened. */
  hasChanged: boolean
  /** Its size was reported as 0, and it had content, as files of /proc do: each reading may differ. */
  isUnsized: boolean
  /** How often the copy had another checksum than the file. */
  mismatches: number
  readonly copy: CopiedFile
  /** The copy exists: it was made by this job. */
  isMade: boolean
  /** Size and time of change of what is copied, when the copy was begun. */
  stamp: string
  /** Of the copy, once it is whole. */
  digest: string | null
  /** As the command that wrote it there in this attempt says. */
  digestThere: string | null
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
  digestThere: null,
})

/** The suffix of what is not whole yet. */
export const partSuffix = '.part'
/** Small files that are copied at once: most of the time of each is the way there and back. */
export const filesAtOnce = 32
/** Bytes of a file whose checksum takes a while, and that has many requests under way. */
export const large = 4 * 1024 * 1024
/** Bytes of a file that goes in an archive at most. */
export const largestPacked = 256 * 1024
/** Files and folders of one transfer at most, and folders within each other. */
export const mostItems = 200_000
export const deepest = 100
/** Characters of a path on the machine at most. */
export const longestPath = 4_096
/** A folder is read as a whole, or not at all. */
export const wholeFolder: ListLimits = { entries: mostItems, answers: 20_000 }

/** A path in a folder of a machine. */
export const remotePath = (folder: string, name: string): string =>
  folder.endsWith('/') ? folder + name : `${folder}/${name}`

/** A name that leads out of its folder is refused with invalid-input (name). */
export function checkNames(names: readonly string[]): void {
  const isPlain = (name: string): boolean => !/^\.{0,2}$|[/\0]/.test(name)
  if (!names.every(isPlain))
    throw new FailureError({ kind: 'invalid-input', field: 'name', reason: 'malformed' })
}
