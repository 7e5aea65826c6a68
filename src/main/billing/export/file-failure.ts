import { FailureError } from '#shared/failure'

/** What the system says where nothing more can be written: a full disk, a spent quota, a file at its largest. */
const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** What went wrong while a file was written: its own failure where it carries one, disk-full, or local-fault. */
export function fileFailure(error: unknown): FailureError {
  if (error instanceof FailureError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (full.has(code)) return new FailureError({ kind: 'disk-full' })
  const reason = error instanceof Error ? error.message : String(error)
  return new FailureError({ kind: 'local-fault', action: 'export', reason })
}
