import type { JobView, WatchOutcome } from '#shared/bridge/job'
import type { MachineState } from '#shared/service/machine-state'
import { foreignText } from '../../components/foreign-text'
import { t } from '../../platform/i18n'
import { duration, exactTime } from '../../platform/time'
import { stateText } from '../commands/run-text'

/** Whether the machine of a running job is not connected. */
const isUnreachable = ({ link, subject }: JobView): boolean =>
  subject.kind !== 'idle' && link !== null && link.kind !== 'connected' && link.kind !== 'connecting'

export const jobName = ({ name, subject }: Pick<JobView, 'name' | 'subject'>): string =>
  subject.kind === 'idle'
    ? t('jobs.idle', { duration: duration(subject.minutes * 60) })
    : foreignText(name, 200)

export function jobDot(job: JobView): MachineState {
  if (job.state.kind === 'lost') return 'other'
  if (job.state.kind === 'ended') return (job.state.code ?? 0) === 0 ? 'stopped' : 'failed'
  return isUnreachable(job) || !job.isAllowed ? 'moving' : 'running'
}

/** Returns the state of a job. `now`: epoch seconds. */
export function jobStateText(job: JobView, now: number): string {
  const { state, subject, since } = job
  if (state.kind === 'lost') return t(`jobs.lost.${state.why}`)
  if (state.kind === 'running') {
    const text = t(subject.kind === 'idle' ? 'jobs.state.waiting' : 'jobs.state.running', {
      duration: duration(Math.max(0, now - since)),
    })
    if (!job.isAllowed) return t('common.sentences', { first: text, second: t('jobs.state.notAllowed') })
    return isUnreachable(job)
      ? t('common.sentences', { first: text, second: t('jobs.state.unreachable') })
      : text
  }
  if (subject.kind === 'idle') return t('jobs.state.fell')
  if (state.code === null) return t('jobs.state.ended')
  return state.code === 0 ? t('jobs.state.done') : t('jobs.state.code', { code: state.code })
}

/** Returns the duration and the end of a job; null while it runs. */
export function jobEndText({ state, since }: JobView): string | null {
  if (state.kind === 'running') return null
  return t('jobs.endedAt', { duration: duration(state.at - since), time: exactTime(state.at) })
}

/** Returns why a job is not watched; null if it is. */
export function refusalText(outcome: WatchOutcome, now: number): string | null {
  switch (outcome.kind) {
    case 'watching':
      return null
    case 'refused':
      return t(`jobs.refused.${outcome.why}`)
    case 'failed':
      return t('jobs.start.failed', { reason: foreignText(outcome.reason, 300) })
    case 'stopped':
      return t('jobs.stopped', { reason: stateText(outcome.state, now) })
  }
}
