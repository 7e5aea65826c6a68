import { z } from 'zod'

/** State of cloud-init on a machine, and the text of its log. `detail`: its error or warning. */
export const SetUpRecord = z.strictObject({
  state: z.enum(['not started', 'running', 'degraded', 'error', 'done', 'disabled']),
  log: z.string().max(200_000),
  detail: z.string().max(2_000).optional(),
})
export type SetUpRecord = z.infer<typeof SetUpRecord>

const log = (isDone: boolean): string =>
  [
    "Cloud-init v. 24.4 running 'init' at Fri, 27 Nov 2026 10:00:00 +0000. Up 9.31 seconds.",
    "Cloud-init v. 24.4 running 'modules:final' at Fri, 27 Nov 2026 10:00:12 +0000. Up 21.02 seconds.",
    'Get:1 http://archive.ubuntu.com/ubuntu noble InRelease [256 kB]',
    ...(isDone ? ['Cloud-init v. 24.4 finished at Fri, 27 Nov 2026 10:00:31 +0000. Up 40.17 seconds'] : []),
    '',
  ].join('\n')

/** Returns a set-up without errors. */
export const usualSetUp = (isDone: boolean): SetUpRecord => ({
  state: isDone ? 'done' : 'running',
  log: log(isDone),
})

/** Returns what `cloud-init status --long` of version 24.4 prints, and its exit status. */
export function statusReport({
  state,
  detail = 'Runparts: 1 failures in 1 attempted commands',
}: SetUpRecord) {
  const isError = state === 'error'
  const isDegraded = state === 'degraded'
  const isOver = isError || isDegraded || state === 'done'
  const extended = isError ? 'error - done' : isDegraded ? 'degraded done' : state
  const errors = isError ? `errors:\n\t- ('scripts_user', RuntimeError('${detail}'))` : 'errors: []'
  const recoverable = isDegraded ? `recoverable_errors:\nWARNING:\n\t- ${detail}` : 'recoverable_errors: {}'
  const lines = [
    `status: ${isDegraded ? 'done' : state}`,
    `extended_status: ${extended}`,
    `boot_status_code: ${state === 'disabled' ? 'disabled-by-marker-file' : 'enabled-by-generator'}`,
    ...(isOver ? ['last_update: Fri, 27 Nov 2026 10:00:31 +0000'] : []),
    `detail: ${state === 'disabled' ? 'Cloud-init disabled by /etc/cloud/cloud-init.disabled' : 'DataSourceOpenStack [net,ver=2]'}`,
    errors,
    recoverable,
  ]
  return { text: `${lines.join('\n')}\n`, code: isError ? 1 : isDegraded ? 2 : 0 }
}
