import { posix } from 'node:path'
import { DiskError } from './disk-error'

/** As SFTP and `stat` report them: `mode` with the file type's bits, `size` in bytes, times in epoch seconds. */
export interface Attributes {
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly size: number
  readonly atime: number
  readonly mtime: number
}

export interface DirectoryEntry {
  readonly name: string
  readonly attributes: Attributes
}

export interface AttributeChange {
  readonly mode?: number | undefined
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  readonly size?: number | undefined
  readonly atime?: number | undefined
  readonly mtime?: number | undefined
}

export interface OpenMode {
  readonly write?: boolean
  readonly append?: boolean
  readonly create?: boolean
  /** With `create`: refuse a file that is there already. */
  readonly exclusive?: boolean
  readonly truncate?: boolean
  /** Permissions of a new file, before the umask. */
  readonly permissions?: number | undefined
}

export interface OpenFile {
  attributes(): Attributes
  read(offset: number, length: number): Buffer
  /** At the end of the file where it was opened for appending. */
  write(offset: number, data: Uint8Array): void
  change(change: AttributeChange): void
}

/**
 * The disk of one machine, in memory. Paths are absolute and normal (see `absolutePath`). Every operation throws
 * DiskError and then has changed nothing.
 */
export interface Disk {
  attributes(path: string): Attributes
  list(path: string): readonly DirectoryEntry[]
  open(path: string, mode: OpenMode): OpenFile
  change(path: string, change: AttributeChange): void
  makeDirectory(path: string, permissions?: number): void
  removeFile(path: string): void
  /** The directory must be empty. */
  removeDirectory(path: string): void
  /** A file, or a directory with all that is in it. */
  removeTree(path: string): void
  /** The target must not exist (SFTP version 3). */
  rename(from: string, to: string): void
  /** Bytes. */
  usage(): { readonly total: number; readonly used: number }
  /** Gives back the memory that the disk counted; it must not be used again. */
  discard(): void
}

/** Part of a new disk. Directories precede their content. */
export interface InitialEntry {
  readonly path: string
  /** Absent: a directory. */
  readonly content?: string
  readonly permissions: number
  readonly uid: number
}

/** The one ordinary user of a machine. */
export const ordinaryUid = 1000

const maximum = { name: 255, path: 4096 }

/** `path` as the machine's user means it from `directory`. Throws ENAMETOOLONG, or EINVAL for a NUL. */
export const absolutePath = (directory: string, path: string): string => {
  if (path.includes('\0')) throw new DiskError('EINVAL')
  const resolved = posix.resolve('/', directory, path)
  if (resolved.length > maximum.path || posix.basename(resolved).length > maximum.name) {
    throw new DiskError('ENAMETOOLONG')
  }
  return resolved
}
