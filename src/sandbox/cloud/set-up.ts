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

interface Result {
  /** As `status` prints it; absent: the state. */
  readonly status?: string
  readonly extended: string
  readonly code: number
}
const results: Readonly<Partial<Record<SetUpRecord['state'], Result>>> = {
  done: { extended: 'done', code: 0 },
  degraded: { status: 'done', extended: 'degraded done', code: 2 },
  error: { extended: 'error - done', code: 1 },
}

/** Returns what `cloud-init status --long` of version 24.4 prints, and its exit status. */
export function statusReport({
  state,
  detail = 'Runparts: 1 failures in 1 attempted commands',
}: SetUpRecord) {
  const result = results[state]
  const isDisabled = state === 'disabled'
  const errors = state === 'error' ? `errors:\n\t- ('scripts_user', RuntimeError('${detail}'))` : 'errors: []'
  const recoverable =
    state === 'degraded' ? `recoverable_errors:\nWARNING:\n\t- ${detail}` : 'recoverable_errors: {}'
  const lines = [
    `status: ${result?.status ?? state}`,
    `extended_status: ${result?.extended ?? state}`,
    `boot_status_code: ${isDisabled ? 'disabled-by-marker-file' : 'enabled-by-generator'}`,
    ...(result ? ['last_update: Fri, 27 Nov 2026 10:00:31 +0000'] : []),
    `detail: ${isDisabled ? 'Cloud-init disabled by /etc/cloud/cloud-init.disabled' : 'DataSourceOpenStack [net,ver=2]'}`,
    errors,
    recoverable,
  ]
  return { text: `${lines.join('\n')}\n`, code: result?.code ?? 0 }
}
