import { posix } from 'node:path'
import { DiskError } from './disk-error'

/** Attributes as in SFTP and `stat`: `mode` with the file type's bits, `size` in bytes, times in epoch seconds. */
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
  /** With `create`: whether to refuse an existing file. */
  readonly exclusive?: boolean
  readonly truncate?: boolean
  /** Permissions of a new file, before the umask. */
  readonly permissions?: number | undefined
}

export interface OpenFile {
  attributes(): Attributes
  read(offset: number, length: number): Buffer
  /** Writes at `offset`, or at the end if the file was opened for appending. */
  write(offset: number, data: Uint8Array): void
  change(change: AttributeChange): void
}

/** Disk of one machine, in memory. Paths are absolute and normal (`absolutePath`). A failed operation changes nothing. */
export interface Disk {
  attributes(path: string): Attributes
  list(path: string): readonly DirectoryEntry[]
  open(path: string, mode: OpenMode): OpenFile
  change(path: string, change: AttributeChange): void
  makeDirectory(path: string, permissions?: number): void
  removeFile(path: string): void
  /** Removes an empty directory. */
  removeDirectory(path: string): void
  /** Removes a file, or a directory with its content. */
  removeTree(path: string): void
  /** Renames to a target that must not exist (SFTP version 3). */
  rename(from: string, to: string): void
  /** Returns bytes. */
  usage(): { readonly total: number; readonly used: number }
  /** Releases the counted memory. The disk must not be used again. */
  discard(): void
}

/** File or directory of a new disk. Directories precede their content. */
export interface InitialEntry {
  readonly path: string
  /** Absent for a directory. */
  readonly content?: string
  readonly permissions: number
  readonly uid: number
}

/** User id of a machine's only ordinary user. */
export const ordinaryUid = 1000

const maximum = { name: 255, path: 4096 }

/** Resolves `path` from `directory`. Throws ENAMETOOLONG, or EINVAL for a NUL. */
export const absolutePath = (directory: string, path: string): string => {
  if (path.includes('\0')) throw new DiskError('EINVAL')
  const resolved = posix.resolve('/', directory, path)
  if (resolved.length > maximum.path || posix.basename(resolved).length > maximum.name) {
    throw new DiskError('ENAMETOOLONG')
  }
  return resolved
}
