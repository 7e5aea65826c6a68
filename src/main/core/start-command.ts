import type { WatchOutcome } from '#shared/bridge/job'

/** Outcome of the start of a command. `unknown`: the command may run, so it must not be sent again. */
export type StartOutcome = WatchOutcome | { readonly kind: 'unknown' }

/** Whether a command may run although the machine did not report its start. Pure. */
function mayRun(outcome: WatchOutcome): boolean {
  if (outcome.kind !== 'stopped') return false
  const { state } = outcome
  // The script of an `exited` start ran, but its answer is not readable.
  return (
    state.kind === 'lost' ||
    state.kind === 'exited' ||
    state.kind === 'signalled' ||
    ('mayRun' in state && state.mayRun === true)
  )
}

/** Starts a command as a job, once. Never fails: a job that could not be stored may run, and its error is reported. */
export async function startCommand(
  start: () => Promise<WatchOutcome>,
  report: (error: unknown) => void,
): Promise<StartOutcome> {
  try {
    const outcome = await start()
    return mayRun(outcome) ? { kind: 'unknown' } : outcome
  } catch (error) {
    report(error)
    return { kind: 'unknown' }
  }
}
