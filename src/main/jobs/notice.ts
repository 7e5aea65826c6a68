import type { Job } from '#shared/bridge/job'
import { durationText } from '#shared/messages/duration-text'
import type { TranslatePath } from '#shared/messages/failure-text'
import { formatMoney } from '#shared/money/format-money'
import type { Money } from '#shared/money/money'
import { cut, oneLine } from '../core/one-line'

const maxName = 80

/** Returns the cost of a machine from `since` to `until` at its current price. Pure. */
export const costBetween = (perHour: Money | null, since: number, until: number): Money | null =>
  perHour && {
    currency: perHour.currency,
    millionths: Math.round((perHour.millionths * Math.max(0, until - since)) / 3_600),
  }

function titleOf({ name, machineName: machine, subject, state }: Job, translate: TranslatePath): string {
  if (state.kind === 'lost') return translate('jobs.notices.lost', { name, machine })
  if (subject.kind === 'idle') return translate('jobs.notices.idle', { machine })
  const code = state.kind === 'ended' ? state.code : null
  if (code === null) return translate('jobs.notices.ended', { name, machine })
  return code === 0
    ? translate('jobs.notices.finished', { name, machine })
    : translate('jobs.notices.failed', { name, machine, code })
}

/** Returns the notification about the end of a job. `lines`: the last lines of its log. Pure. */
export function jobNotice(job: Job, cost: Money | null, lines: string, translate: TranslatePath) {
  const shown: Job = {
    ...job,
    name: cut(oneLine(job.name), maxName),
    machineName: cut(oneLine(job.machineName), maxName),
  }
  const { since, state } = shown
  const until = state.kind === 'running' ? since : state.at
  const duration = durationText(until - since, translate)
  const facts = cost
    ? translate('jobs.notices.withCost', { duration, cost: formatMoney(cost) })
    : translate('jobs.notices.facts', { duration })
  const reason = state.kind === 'lost' ? translate(`jobs.lost.${state.why}`) : ''
  return {
    title: titleOf(shown, translate),
    body: [facts, reason].filter((line) => line !== '').join('\n'),
    output: lines,
    ...(state.kind === 'ended' && state.code === 0 && { isGoodNews: true }),
  }
}
