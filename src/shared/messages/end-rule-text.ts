import type { EndAction, EndRule, EndRuleView, EndWhen } from '../bridge/end-rule'
import { dateFormat } from '../locale'
import { formatMoney } from '../money/format-money'
import { durationText } from './duration-text'
import type { TranslatePath } from './failure-text'

const moment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** Returns the condition of a rule, such as "Deleted at 18:00". Pure. */
export function endRuleText({ action, when, notBefore }: EndRule, t: TranslatePath): string {
  switch (when.kind) {
    case 'at':
      return t(`endRules.armed.at.${action}`, { time: moment(Math.max(when.at, notBefore)) })
    case 'idle':
      return t(`endRules.armed.idle.${action}`, { duration: durationText(when.seconds, t) })
    case 'job':
      return t(`endRules.armed.job.${action}`, { name: when.name })
    case 'budget':
      return t(`endRules.armed.budget.${action}`, { amount: formatMoney(when.budget) })
  }
}

/** Returns the state of a rule for lists and the tray: a countdown, or that it waits for the user; null: no end is expected. Pure. */
export function countdownText(
  { action, state, dueAt }: EndRuleView,
  now: number,
  t: TranslatePath,
): string | null {
  if (state.kind === 'held') return t(`endRules.needsYou.${action}`)
  if (state.kind === 'ending') return t(`endRules.ending.${action}`)
  if (dueAt === null) return null
  return t(`endRules.soon.${action}`, { duration: durationText(Math.max(0, dueAt - now), t) })
}

/** Returns that a stop is still billed, and for an end that saves money, that a deletion is better; null for a deletion. Pure. */
export function stopCostText(
  action: EndAction,
  when: EndWhen['kind'] | 'after',
  t: TranslatePath,
): string | null {
  if (action === 'delete') return null
  const isForCost = when === 'idle' || when === 'budget'
  return t(isForCost ? 'endRules.dialog.recommended' : 'endRules.dialog.stillBilled')
}
