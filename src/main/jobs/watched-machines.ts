import type { AccountId } from '#shared/bridge/account'
import type { Job, JobView } from '#shared/bridge/job'
import { resourceKey } from '#shared/resource-key'
import type { Clock } from '../core/clock'
import type { OpenConsents } from '../ssh/machines/consents'
import type { SshMachines } from '../ssh/machines/index'
import { type MachineJobs, machineJobs, type MachineJobsDeps } from './machine-jobs'
import { stateQuestion } from './requests'

export interface WatchedMachinesDeps {
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly consents: Pick<OpenConsents, 'has' | 'hasAll'>
  readonly clock: Clock
}

export const isRunning = ({ state }: Job): boolean => state.kind === 'running'

/** Holds a connection to each machine with running jobs that may be asked about, and none to others. */
export function createWatchedMachines(
  { sshMachines, consents, clock }: WatchedMachinesDeps,
  jobs: () => readonly Job[],
  answered: (running: readonly Job[], ...answer: Parameters<MachineJobsDeps['answered']>) => Promise<void>,
  changed: (account: AccountId) => void,
) {
  const watched = new Map<string, MachineJobs>()
  const runningOn = (account: AccountId, machine: string): readonly Job[] =>
    jobs().filter((job) => job.account === account && job.machine === machine && isRunning(job))
  const isAllowed = ({ account, machine, subject }: Job): boolean =>
    subject.kind === 'idle' || consents.has(account, machine, 'jobs')

  const watch = (account: AccountId, machine: string): MachineJobs =>
    machineJobs({
      clock,
      acquire: (use) =>
        sshMachines.acquire({
          account,
          machine,
          purpose: 'jobs',
          mayAsk: () => false,
          trustsFirstKey: () => consents.hasAll(account, 'jobs'),
          isUrgent: () => false,
          ...use,
        }),
      questions: () =>
        runningOn(account, machine)
          .map(stateQuestion)
          .filter((question) => question !== null),
      answered: (...answer) => answered(runningOn(account, machine), ...answer),
      changed: () => changed(account),
    })

  return {
    runningOn,
    view: (job: Job): Pick<JobView, 'link' | 'isAllowed'> => ({
      link: watched.get(resourceKey(job.account, job.machine))?.link() ?? null,
      isAllowed: isAllowed(job),
    }),
    askNow: ({ account, machine }: Job): void => watched.get(resourceKey(account, machine))?.ask(),
    reconcile(): void {
      const wanted = new Map(
        jobs()
          .filter((job) => isRunning(job) && job.subject.kind !== 'idle' && isAllowed(job))
          .map((job) => [resourceKey(job.account, job.machine), job] as const),
      )
      for (const [key, machine] of watched) {
        if (wanted.has(key)) machine.update()
        else {
          watched.delete(key)
          machine.close()
        }
      }
      for (const [key, { account, machine }] of wanted)
        if (!watched.has(key)) watched.set(key, watch(account, machine))
    },
    close(): void {
      watched.forEach((machine) => machine.close())
      watched.clear()
    },
  }
}
export type WatchedMachines = ReturnType<typeof createWatchedMachines>
