import { type Failure, FailureError, failureOf as failureDuring } from '#shared/failure'
import type { Action } from '#shared/messages/en/actions'

export const failureOf = (error: unknown, action: Action): Failure => failureDuring(error, action)

/** System error codes for "no room to write": full disk, exceeded quota, maximum file size. */
const noRoomCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

export const isFullDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && noRoomCodes.has(String(error.code))

export const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Converts an error of writing a file: its own failure, disk-full, or local-fault. */
export function fileFailure(error: unknown, action = 'export'): FailureError {
  if (error instanceof FailureError) return error
  if (isFullDisk(error)) return new FailureError({ kind: 'disk-full' })
  const reason = error instanceof Error ? error.message : String(error)
  return new FailureError({ kind: 'local-fault', action, reason })
}
