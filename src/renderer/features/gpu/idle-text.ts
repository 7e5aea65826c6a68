import type { IdleMachine } from '#shared/bridge/idle'
import { formatMoney } from '#shared/money/format-money'
import { t } from '../../platform/i18n'
import { exactTime } from '../../platform/time'

/** Formats a duration in its largest unit, for narrow columns. */
function shortDuration(seconds: number): string {
  const minutes = Math.max(0, Math.floor(seconds / 60))
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (days > 0) return t('common.duration.days', { days })
  return hours > 0 ? t('common.duration.hours', { hours }) : t('common.duration.minutes', { minutes })
}

/** Returns text such as "Idle 3 h", worded more carefully for the weaker CPU readings. `now`: epoch seconds. */
export const idleMark = ({ since, use }: IdleMachine, now: number): string =>
  t(`idle.mark.${use}`, { duration: shortDuration(now - since) })

export const idleHint = ({ since, use, basis, cost }: IdleMachine): string =>
  [
    t(`idle.hint.${basis === 'unreported' ? basis : use}`, { time: exactTime(since) }),
    ...(cost ? [t(use === 'cpu-idle' ? 'idle.spent' : 'idle.cost', { cost: formatMoney(cost) })] : []),
  ].join(t('common.sentenceSeparator'))
