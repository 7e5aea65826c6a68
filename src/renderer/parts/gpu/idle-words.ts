import type { IdleMachine } from '#shared/bridge/idle'
import { formatMoney } from '#shared/money/money'
import { t } from '../../app/i18n'
import { duration, exactTime } from '../time'

/** "Idle 3 h"; the weaker sign is called what it is. `now` is epoch seconds. */
export const idleMark = ({ since, strength }: IdleMachine, now: number): string =>
  t(strength === 'gpu' ? 'idle.mark' : 'idle.markWeak', { duration: duration(now - since) })

/** Since when, by which sign, and what it has cost. */
export const idleHint = ({ since, strength, cost }: IdleMachine): string =>
  [
    t(strength === 'gpu' ? 'idle.hint' : 'idle.hintWeak', { time: exactTime(since) }),
    ...(cost ? [t('idle.cost', { cost: formatMoney(cost) })] : []),
  ].join(' ')
