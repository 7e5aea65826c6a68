import type { JobState } from '#shared/bridge/job'
import type { SshLink } from '#shared/bridge/ssh-link'
import { type JobQuestion, jobScript } from '#shared/job-script'
import type { Clock } from '../core/clock'
import type { SshConnection } from '../ssh/client/transport'
import type { LeaseUse, SshLease } from '../ssh/machines/lease'
import { type JobAnswer, readAnswer, statesOf } from './answer'

/** Seconds between two questions. A machine that does not answer is asked less and less often. */
export const askSeconds = { usual: 60, max: 960 } as const

export interface MachineJobsDeps {
  acquire(use: Pick<LeaseUse, 'changed' | 'opened' | 'closed'>): SshLease
  /** The question about each running job of the machine; its first argument is the key. */
  questions(): readonly JobQuestion[]
  /** Handles the states, by key. `boot`: id of the boot of the machine that answered. `ask` asks further questions. */
  answered(
    states: ReadonlyMap<string, JobState>,
    boot: string,
    ask: (questions: readonly JobQuestion[]) => Promise<JobAnswer | null>,
  ): Promise<void>
  changed(): void
  readonly clock: Clock
}

/** Asks a machine about its jobs once a minute, in one script over the shared connection. */
export function machineJobs({ acquire, questions, answered, changed, clock }: MachineJobsDeps) {
  let connection: SshConnection | undefined
  let pause: number = askSeconds.usual
  let isAsking = false
  let cancel = (): void => undefined
  let isAcquired = false

  const askOver =
    ({ exec }: SshConnection) =>
    async (asked: readonly JobQuestion[]): Promise<JobAnswer | null> => {
      const outcome = await exec(jobScript(asked))
      return outcome.kind === 'finished' ? readAnswer(outcome.stdout, Math.floor(clock.now())) : null
    }

  async function askOnce(current: SshConnection): Promise<void> {
    const ask = askOver(current)
    const answer = await ask(questions())
    if (connection !== current) return
    pause = answer ? askSeconds.usual : Math.min(askSeconds.max, pause * 2)
    if (answer) await answered(statesOf(answer, Math.floor(clock.now())), answer.boot, ask)
  }
  function ask(): void {
    const current = connection
    if (!current || isAsking) return
    cancel()
    isAsking = true
    askOnce(current)
      // The lease reports a lost connection.
      .catch(() => undefined)
      .finally(() => {
        isAsking = false
        if (connection !== undefined) plan()
      })
  }
  function plan(): void {
    cancel()
    cancel = clock.after(pause, ask)
  }

  const lease = acquire({
    // `acquire` may call this before it returns the lease.
    changed: () => {
      if (isAcquired) changed()
    },
    opened(opened) {
      connection = opened
      pause = askSeconds.usual
      ask()
    },
    closed() {
      connection = undefined
      cancel()
    },
  })
  isAcquired = true
  return {
    link: (): SshLink => lease.link(),
    update: (): void => lease.update(),
    ask,
    close(): void {
      connection = undefined
      cancel()
      lease.release()
    },
  }
}
export type MachineJobs = ReturnType<typeof machineJobs>
