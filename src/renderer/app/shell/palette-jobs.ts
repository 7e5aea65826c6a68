import { resourceKey } from '#shared/resource-key'
import { jobName, jobStateText } from '../../features/jobs/job-text'
import { useShowJobs } from '../../features/jobs/show-jobs'
import { useNow } from '../../platform/clock'
import { t } from '../../platform/i18n'
import { useJobs } from '../../stores/jobs'
import { focusPanel, useAttempt } from './palette-actions'
import type { Command } from './palette-search'

/** Commands that open the jobs of all machines, found by their command and their machine. */
export function useJobCommands(): () => readonly Command[] {
  const jobs = useJobs()
  const now = useNow()
  const attempt = useAttempt()
  const showJobs = useShowJobs()
  return () =>
    jobs.all.map((job) => ({
      id: `job/${resourceKey(job.account, job.id)}`,
      group: 'jobs',
      title: jobName(job),
      hint: `${job.machineName} · ${jobStateText(job, now.value)}`,
      run: attempt(t('jobs.attempt'), async () => {
        await showJobs(job)
        await focusPanel()
      }),
    }))
}
