import { useRouter } from 'vue-router'
import type { Job } from '#shared/bridge/job'
import { useBareMetal } from '../../stores/bare-metal'
import { showBareMetal, showMachine } from '../navigation/navigate'

/** Returns a function that opens the jobs of a job's machine. */
export function useShowJobs(): (job: Pick<Job, 'account' | 'machine'>) => Promise<void> {
  const bareMetal = useBareMetal()
  const router = useRouter()
  return ({ account, machine }) => {
    const show = bareMetal.find(account, machine) ? showBareMetal : showMachine
    return show(router, account, machine, { tab: 'jobs' })
  }
}
