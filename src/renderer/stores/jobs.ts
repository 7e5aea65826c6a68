import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { CallInput } from '#shared/bridge/index'
import type { Job, JobView } from '#shared/bridge/job'
import type { EndRequest } from '#shared/end-process'
import { bridge } from '../platform/bridge'
import { usePerAccount } from './per-account'

/** Programs on machines whose end Wheelhouse reports. */
export const useJobs = defineStore('jobs', () => {
  const { values, follow } = usePerAccount<readonly JobView[]>('jobs.list', (account) =>
    bridge.call('jobs.list', { account }),
  )
  /** Jobs of a machine, the newest first; null until they are loaded. */
  const of = (account: AccountId, machine: string): readonly JobView[] | null =>
    values.get(account)?.filter((job) => job.machine === machine) ?? null
  /** Jobs of all accounts: running jobs first. */
  const all = computed(() => {
    const jobs = [...values.values()].flat()
    const isRunning = ({ state }: JobView): boolean => state.kind === 'running'
    return [...jobs.filter(isRunning), ...jobs.filter((job) => !isRunning(job))]
  })

  function start(): void {
    bridge.on('jobs.changed', ({ account, jobs }) => values.set(account, jobs))
    follow()
  }
  const processes = (account: AccountId, machine: string) =>
    bridge.call('jobs.processes', { account, machine })
  const panes = (account: AccountId, machine: string) => bridge.call('jobs.panes', { account, machine })
  const watch = (order: CallInput<'jobs.watch'>) => bridge.call('jobs.watch', order)
  const log = ({ account, id }: Job) => bridge.call('jobs.log', { account, job: id })
  const end = ({ account, id }: Job, signal: EndRequest['signal']) =>
    bridge.call('jobs.end', { account, job: id, signal })
  const remove = ({ account, id }: Job) => bridge.call('jobs.remove', { account, job: id })
  return { of, all, start, processes, panes, watch, log, end, remove }
})
