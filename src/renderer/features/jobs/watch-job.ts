import type { AccountId } from '#shared/bridge/account'
import type { GpuProcess } from '#shared/bridge/gpu'
import { allowsSsh } from '#shared/bridge/ssh'
import { EndRequest } from '#shared/end-process'
import { useToast } from '../../components/toast'
import { useNow } from '../../platform/clock'
import { t } from '../../platform/i18n'
import { useJobs } from '../../stores/jobs'
import { useSshConsents } from '../../stores/ssh-consents'
import { jobName, refusalText } from './job-text'

const Known = EndRequest.pick({ user: true, start: true })

/** Watches a process on a GPU, and reports the result as a toast. */
export function useWatchJob() {
  const jobs = useJobs()
  const consents = useSshConsents()
  const toast = useToast()
  const now = useNow()

  async function isAllowed(account: AccountId, machine: string): Promise<boolean> {
    if (!consents.of(account)) await consents.load(account)
    const known = consents.of(account)
    return known !== null && allowsSsh(known, machine, 'jobs')
  }
  async function watchProcess(account: AccountId, machine: string, process: GpuProcess): Promise<void> {
    const { pid, user, start } = process
    const identity = Known.safeParse({ user, start }).data ?? {}
    const outcome = await jobs.watch({ account, machine, target: { kind: 'process', pid, ...identity } })
    const problem = refusalText(outcome, now.value)
    if (problem !== null) return toast.notice(problem)
    if (outcome.kind === 'watching') toast.done(t('jobs.added', { name: jobName(outcome.job) }))
  }
  return { isAllowed, watchProcess }
}
