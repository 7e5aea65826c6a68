import { FailureError } from '#shared/failure'

/** What the system says where nothing more can be written: a full disk, a spent quota, a file at its largest. */
const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether an error of the system says so. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && full.has(String(error.code))

/** What went wrong while a file was written: its own failure where it carries one, disk-full, or local-fault. */
export function fileFailure(error: unknown, action = 'export'): FailureError {
  if (error instanceof FailureError) return error
  if (isFullDisk(error)) return new FailureError({ kind: 'disk-full' })
  const reason = error instanceof Error ? error.message : String(error)
  return new FailureError({ kind: 'local-fault', action, reason })
}
