/** Errors of disk operations by POSIX name, with the C library's messages. */
const messages = {
  EACCES: 'Permission denied',
  EEXIST: 'File exists',
  EINVAL: 'Invalid argument',
  EISDIR: 'Is a directory',
  EMFILE: 'Too many open files',
  ENAMETOOLONG: 'File name too long',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
} as const

export type DiskErrorCode = keyof typeof messages

export class DiskError extends Error {
  override readonly name = 'DiskError'
  constructor(readonly code: DiskErrorCode) {
    super(messages[code])
  }
}
